#include "plan/batch_sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace sotto {
namespace {

using accounting::Sampling;

Plan plan_of(Sampling sampling, std::int64_t size, std::int64_t batch) {
  PlanOptions options;
  options.dataset_size = size;
  options.batch_size = batch;
  options.epochs = 1;
  options.noise_multiplier = 1;
  options.sampling = sampling;
  return Plan(options);
}

TEST(BatchSamplerTest, PoissonIncludesEachRecordIndependently) {
  SeededRandomNotPrivate random(3);
  const Plan plan = plan_of(Sampling::kPoisson, 50, 5);
  BatchSampler sampler(plan, random);
  constexpr int kBatches = 40000;
  std::vector<int> counts(50);
  int together = 0;
  int empty = 0;
  for (int i = 0; i < kBatches; ++i) {
    const auto batch = sampler.draw();
    for (const auto record : batch) ++counts[record];
    const std::set<std::int64_t> members(batch.begin(), batch.end());
    together += members.contains(0) && members.contains(1) ? 1 : 0;
    empty += batch.empty() ? 1 : 0;
  }
  const auto deviation = [](double p) { return std::sqrt(kBatches * p * (1 - p)); };
  for (const auto count : counts) EXPECT_NEAR(count, kBatches * 0.1, 5 * deviation(0.1));
  EXPECT_NEAR(together, kBatches * 0.01, 5 * deviation(0.01));
  const double nobody = std::pow(0.9, 50);
  EXPECT_NEAR(empty, kBatches * nobody, 5 * deviation(nobody));
}

TEST(BatchSamplerTest, FixedSizeDrawsUniformSubsets) {
  SeededRandomNotPrivate random(4);
  const Plan plan = plan_of(Sampling::kFixedSize, 6, 2);
  BatchSampler sampler(plan, random);
  std::map<std::pair<std::int64_t, std::int64_t>, int> pairs;
  constexpr int kBatches = 30000;
  for (int i = 0; i < kBatches; ++i) {
    const auto batch = sampler.draw();
    ASSERT_EQ(batch.size(), 2U);
    ASSERT_LT(batch[0], batch[1]);
    ++pairs[{batch[0], batch[1]}];
  }
  ASSERT_EQ(pairs.size(), 15U);
  for (const auto& [pair, count] : pairs) EXPECT_NEAR(count, kBatches / 15.0, 5 * 45);
}

TEST(BatchSamplerTest, ShuffledPassesUseEachRecordOnce) {
  SeededRandomNotPrivate random(5);
  const Plan plan = plan_of(Sampling::kShuffled, 10, 4);
  BatchSampler sampler(plan, random);
  std::vector<std::int64_t> first_pass_order;
  for (int pass = 0; pass < 3; ++pass) {
    std::vector<std::int64_t> order;
    for (const std::size_t size : {4U, 4U, 2U}) {
      const auto batch = sampler.draw();
      ASSERT_EQ(batch.size(), size);
      order.insert(order.end(), batch.begin(), batch.end());
    }
    EXPECT_EQ(std::set<std::int64_t>(order.begin(), order.end()).size(), 10U);
    if (pass == 0) first_pass_order = order;
    if (pass == 1) {
      EXPECT_NE(order, first_pass_order);
    }
  }
}

TEST(BatchSamplerTest, FullBatchIsEverybody) {
  SeededRandomNotPrivate random(6);
  const Plan plan = plan_of(Sampling::kNone, 7, 7);
  BatchSampler sampler(plan, random);
  EXPECT_EQ(sampler.draw().size(), 7U);
}

}  // namespace
}  // namespace sotto
