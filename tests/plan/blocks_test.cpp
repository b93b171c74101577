#include "plan/blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace sotto::blocks {
namespace {

Plan plan(std::int64_t batch, accounting::Adjacency adjacency) {
  PlanOptions options{.dataset_size = 100'000, .batch_size = batch, .steps = 1};
  options.adjacency = adjacency;
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
  for (const auto adjacency :
       {accounting::Adjacency::kAddRemove, accounting::Adjacency::kZeroOut}) {
    for (const std::int64_t records : {0, 1, 63, 64, 65, 1000, 5000}) {
      expect_fits(in_blocks(numbers(records), plan(1024, adjacency), 64, random), records, 64);
      expect_fits(in_blocks(numbers(records), plan(40, adjacency), 7, random), records, 7);
    }
  }
}

// Where the record that differs keeps its place, places are what chains are cut by.
TEST(BlocksTest, PlacesDecideWhereNothingIsDrawn) {
  SeededRandomNotPrivate random(2);
  PlanOptions options{.dataset_size = 1000, .batch_size = 200, .steps = 1};
  options.sampling = accounting::Sampling::kShuffled;
  options.noise_multiplier = 1;
  const auto batch = in_blocks(numbers(200), Plan(options), 64, random);
  EXPECT_EQ(batch.records, numbers(200));
  EXPECT_EQ(batch.chain_ends, (std::vector<std::int64_t>{64, 128, 192, 200}));
}

// Without a record all later ones move up: in chains of several the roundings of all would change,
// and moved a sum by 8.9 C.
TEST(BlocksTest, WhereOthersMoveUpEveryRecordIsAChainOfItsOwn) {
  SeededRandomNotPrivate random(2);
  PlanOptions options{.dataset_size = 200, .batch_size = 200, .steps = 1};
  options.sampling = accounting::Sampling::kNone;
  options.adjacency = accounting::Adjacency::kAddRemove;
  options.noise_multiplier = 1;
  const auto batch = in_blocks(numbers(200), Plan(options), 64, random);
  EXPECT_EQ(batch.records, numbers(200));
  std::vector<std::int64_t> alone = numbers(201);
  alone.erase(alone.begin());
  EXPECT_EQ(batch.chain_ends, alone);
}

// Drawing one record for another must change one place, which is anybody's: record 0 is first in
// one batch of ten, not in all.
TEST(BlocksTest, FixedSizeBatchesComeInARandomOrder) {
  SeededRandomNotPrivate random(5);
  PlanOptions options{.dataset_size = 1000, .batch_size = 10, .steps = 1};
  options.sampling = accounting::Sampling::kFixedSize;
  options.noise_multiplier = 1;
  const Plan fixed(options);
  int first = 0;
  for (int i = 0; i < 4000; ++i) {
    first += in_blocks(numbers(10), fixed, 64, random).records.front() == 0 ? 1 : 0;
  }
  EXPECT_NEAR(first, 400, 5 * 19);
}

// Whether record 0 is drawn or not, the 40 others stand at every place as often, alone and in
// pairs, and the batch has the same size.
TEST(PlacesTest, NobodysPlaceDependsOnAnotherRecord) {
  SeededRandomNotPrivate random(6);
  const auto filled = plan(40, accounting::Adjacency::kZeroOut);
  const auto count = filled.places().value();
  constexpr int kBatches = 20'000;
  for (const std::int64_t first : {0, 1}) {
    auto records = numbers(41);
    records.erase(records.begin(), records.begin() + first);
    int in_front = 0;
    int neighbours = 0;
    for (int i = 0; i < kBatches; ++i) {
      const auto batch = at_places(records, filled, 64, random);
      ASSERT_EQ(batch.records.size(), static_cast<std::size_t>(count));
      const auto place = [&](std::int64_t record) {
        return std::find(batch.records.begin(), batch.records.end(), record) -
               batch.records.begin();
      };
      in_front += place(7) < 16 ? 1 : 0;
      neighbours += std::abs(place(7) - place(8)) == 1 ? 1 : 0;
    }
    const auto places = static_cast<double>(count);
    const double front = kBatches * 16 / places;
    const double beside = kBatches * 2 / places;
    EXPECT_NEAR(in_front, front, 5 * std::sqrt(front));
    EXPECT_NEAR(neighbours, beside, 5 * std::sqrt(beside));
  }
}

TEST(PlacesTest, EveryRecordHasOneAndChainsDoNotDependOnThem) {
  SeededRandomNotPrivate random(7);
  const auto filled = plan(100, accounting::Adjacency::kZeroOut);
  const auto few = at_places({5, 17}, filled, 64, random);
  const auto many = at_places(numbers(150), filled, 64, random);
  EXPECT_EQ(few.chain_ends, many.chain_ends);
  EXPECT_EQ(std::count(few.records.begin(), few.records.end(), kNobody), *filled.places() - 2);
  EXPECT_EQ(std::set(many.records.begin(), many.records.end()).size(), 151U);
  EXPECT_TRUE(at_places({}, filled, 64, random).records.empty());
}

TEST(PlacesTest, TooManyRecordsGetMorePlaces) {
  SeededRandomNotPrivate random(8);
  const auto filled = plan(10, accounting::Adjacency::kZeroOut);
  const auto batch = at_places(numbers(*filled.places() + 1), filled, 64, random);
  EXPECT_EQ(batch.records.size(), static_cast<std::size_t>(2 * *filled.places()));
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
          in_blocks(records, plan(1024, accounting::Adjacency::kAddRemove), 1 << 20, random);
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
        in_blocks(numbers(2048), plan(2048, accounting::Adjacency::kAddRemove), 1 << 20, random);
    std::int64_t begin = 0;
    for (const auto end : batch.chain_ends) {
      EXPECT_LT(end - begin, 140);
      begin = end;
    }
  }
}

}  // namespace
}  // namespace sotto::blocks
