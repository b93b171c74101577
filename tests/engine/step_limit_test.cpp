// How many steps the target pays for, and what repeated searches take from them.
#include "engine/step_limit.h"

#include <gtest/gtest.h>

#include "sotto/accounting/privacy_cost.h"

namespace sotto::step_limit {
namespace {

constexpr accounting::EpsilonDelta kTarget{3, 1e-5};

// 10 steps per epoch.
Plan searching_plan() {
  PlanOptions options{.dataset_size = 200, .batch_size = 20, .steps = 500};
  options.noise_multiplier = 2;
  options.clipping = SearchedClipping{.epsilon = 1};
  options.bounded = BoundedNoise{};
  return Plan(options);
}

double epsilon(const Plan& plan, std::int64_t steps, std::int64_t repeated) {
  return accounting::cost_at_delta(plan.composition(steps, repeated), plan.neighbours(),
                                   kTarget.delta)
      .epsilon;
}

void expect_largest(const Plan& plan, std::int64_t steps, std::int64_t repeated) {
  EXPECT_LE(epsilon(plan, steps, repeated), kTarget.epsilon);
  EXPECT_GT(epsilon(plan, steps + 1, repeated), kTarget.epsilon);
}

TEST(StepLimitTest, WithoutATargetItIsThePlans) {
  const Plan plan = searching_plan();
  StepLimit limit(plan, {});
  limit.pay_for_searches(40, 0);
  EXPECT_EQ(limit.steps(), 500);
}

TEST(StepLimitTest, IsTheLastStepWithinTheTarget) {
  const Plan plan = searching_plan();
  const StepLimit limit(plan, kTarget);
  ASSERT_LT(limit.steps(), 500);
  expect_largest(plan, limit.steps(), 0);
}

TEST(StepLimitTest, SearchesThatGoWithTheStepsAreInIt) {
  const Plan plan = searching_plan();
  StepLimit limit(plan, kTarget);
  const auto before = limit.steps();
  limit.pay_for_searches(1, 0);
  limit.pay_for_searches(2, 10);
  EXPECT_EQ(limit.steps(), before);
}

TEST(StepLimitTest, RepeatedSearchesLeaveFewerSteps) {
  const Plan plan = searching_plan();
  StepLimit limit(plan, kTarget);
  const auto before = limit.steps();
  limit.pay_for_searches(4, 10);  // two go with the steps
  EXPECT_LT(limit.steps(), before);
  expect_largest(plan, limit.steps(), 2);
  const auto reduced = limit.steps();
  limit.pay_for_searches(5, 20);  // the next epoch's
  EXPECT_EQ(limit.steps(), reduced);
}

}  // namespace
}  // namespace sotto::step_limit
