#include "plan/blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace sotto::blocks {
namespace {

Plan plan(std::int64_t batch, accounting::Relation relation) {
  PlanOptions options{.dataset_size = 100'000, .batch_size = batch, .steps = 1};
  options.relation = relation;
  options.noise_multiplier = 1;
  return Plan(options);
}

std::vector<std::int64_t> numbers(std::int64_t count) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

void expect_fits(const ChainedRecords& batch, std::int64_t records, std::int64_t longest) {
  EXPECT_EQ(std::set(batch.records.begin(), batch.records.end()).size(),
            static_cast<std::size_t>(records));
  EXPECT_EQ(batch.records.size(), static_cast<std::size_t>(records));
  std::int64_t begin = 0;
  for (const auto end : batch.chain_ends) {
    EXPECT_GT(end, begin);
    EXPECT_LE(end - begin, longest);
    EXPECT_TRUE(std::is_sorted(batch.records.begin() + begin, batch.records.begin() + end));
    begin = end;
  }
  EXPECT_EQ(begin, records);
}

TEST(BlocksTest, EveryRecordIsInOneChain) {
  SeededRandomNotPrivate random(1);
  for (const auto relation : {accounting::Relation::kAddRemove, accounting::Relation::kZeroOut}) {
    for (const std::int64_t records : {0, 1, 63, 64, 65, 1000, 5000}) {
      expect_fits(in_blocks(numbers(records), plan(1024, relation), 64, random), records, 64);
      expect_fits(in_blocks(numbers(records), plan(40, relation), 7, random), records, 7);
    }
  }
}

// Where the record that differs keeps its place, places are what chains are cut by.
TEST(BlocksTest, PlacesDecideWhereNoRecordIsMissing) {
  SeededRandomNotPrivate random(2);
  const auto batch =
      in_blocks(numbers(200), plan(1024, accounting::Relation::kZeroOut), 64, random);
  EXPECT_EQ(batch.records, numbers(200));
  EXPECT_EQ(batch.chain_ends, (std::vector<std::int64_t>{64, 128, 192, 200}));
}

// A record's block is its own draw: uniform, and the same whether another record is there or not.
// Two records share a block, out of 16, in one batch of 16.
TEST(BlocksTest, RecordsDrawTheirBlocksIndependently) {
  SeededRandomNotPrivate random(3);
  constexpr int kBatches = 4000;
  const auto together_with = [&](const std::vector<std::int64_t>& records) {
    int together = 0;
    for (int i = 0; i < kBatches; ++i) {
      // Chains as long as blocks: the first and the last record share one or not.
      const auto batch =
          in_blocks(records, plan(1024, accounting::Relation::kAddRemove), 1 << 20, random);
      const auto place = [&](std::int64_t record) {
        return std::find(batch.records.begin(), batch.records.end(), record) -
               batch.records.begin();
      };
      const auto block = [&](std::int64_t record) {
        return std::upper_bound(batch.chain_ends.begin(), batch.chain_ends.end(), place(record)) -
               batch.chain_ends.begin();
      };
      together += block(0) == block(40) ? 1 : 0;
    }
    return together;
  };
  const double expected = kBatches / 16.0;
  EXPECT_NEAR(together_with(numbers(41)), expected, 5 * std::sqrt(expected));
  auto without = numbers(41);
  without.erase(without.begin() + 20);
  EXPECT_NEAR(together_with(without), expected, 5 * std::sqrt(expected));
}

// The proof allows blocks of 256: means are 64.
TEST(BlocksTest, BlocksStayFarBelowWhatTheProofAllows) {
  SeededRandomNotPrivate random(4);
  for (int i = 0; i < 200; ++i) {
    const auto batch =
        in_blocks(numbers(2048), plan(2048, accounting::Relation::kAddRemove), 1 << 20, random);
    std::int64_t begin = 0;
    for (const auto end : batch.chain_ends) {
      EXPECT_LT(end - begin, 140);
      begin = end;
    }
  }
}

}  // namespace
}  // namespace sotto::blocks
