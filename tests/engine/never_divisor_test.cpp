// Never: dividing by the actual (private) batch size, or by len(data) * q truncated to an integer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/simple_trainer.h"

namespace sotto {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kBatch = 29;

// 29 of 200: (29.0 / 200) * 200 is a little less than 29.
PlanOptions divided_plan(const Task& task) {
  return observed_plan(task, kBatch, kHardlyAnyNoise, /*steps=*/6);
}

// Without noise every step is the clipped sum over the plan's batch size, whoever was drawn.
std::string why_divisor_is_wrong(const Trainer& trainer) {
  const Task task(200);
  for (const std::int64_t max_physical_batch_size : {0, 7}) {
    for (const auto& step : trainer(task, divided_plan(task), max_physical_batch_size).steps) {
      const auto sum = task.clipped_sum(step.records, step.bound, step.before);
      const double divisor = (sum.dot(step.update) / step.update.dot(step.update)).item<double>();
      if (!(std::abs(divisor - kBatch) < 1e-3)) {
        return std::to_string(step.records.size()) + " records divided by " +
               std::to_string(divisor);
      }
    }
  }
  return "";
}

TEST(NeverDivisor, TheEngineDividesByThePlansBatchSize) {
  EXPECT_EQ(why_divisor_is_wrong(train_with_engine), "");
  EXPECT_EQ(why_divisor_is_wrong(SimpleTrainer{}), "");
}

TEST(NeverDivisor, DividingByTheActualBatchSize) {
  SimpleTrainer bug;
  bug.divisor = [](const Plan&, std::int64_t drawn) { return static_cast<double>(drawn); };
  EXPECT_THAT(why_divisor_is_wrong(bug), HasSubstr("divided by"));
}

TEST(NeverDivisor, DividingByTheTruncatedProductOfSizeAndRate) {
  SimpleTrainer bug;
  bug.divisor = [](const Plan& plan, std::int64_t) {
    return std::floor(static_cast<double>(plan.dataset_size()) * plan.sample_rate());
  };
  EXPECT_THAT(why_divisor_is_wrong(bug), HasSubstr("divided by"));
}

TEST(NeverDivisor, DividingTwice) {
  SimpleTrainer bug;
  bug.divisor = [](const Plan& plan, std::int64_t) { return std::pow(plan.batch_size(), 2); };
  EXPECT_THAT(why_divisor_is_wrong(bug), HasSubstr("divided by"));
}

}  // namespace
}  // namespace sotto
