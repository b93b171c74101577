#include "runs/shown_epsilon.h"

#include <gtest/gtest.h>

namespace sotto::runs {
namespace {

constexpr double kDelta = 1e-5;
constexpr std::int64_t kSteps = 40;

Spend after(std::int64_t steps) {
  PlanOptions options;
  options.dataset_size = 50;
  options.batch_size = 1;
  options.steps = kSteps;
  options.noise_multiplier = 1;
  return {Plan(options), steps};
}

// Also if steps come a thousand times faster than the speed measured so far foretells, within the
// two seconds for which a number is kept.
TEST(ShownEpsilon, IsNeverThatOfFewerSteps) {
  for (const double speed : {0.0, 1.0, 1e6}) {
    ShownEpsilon shown(kDelta);
    for (std::int64_t step = 1; step <= kSteps; ++step) {
      EXPECT_GE(shown.of(after(step), kSteps, speed),
                *after(step).cost_at_delta(kDelta).epsilon_lower)
          << "step " << step << ", foretold speed " << speed;
    }
  }
}

TEST(ShownEpsilon, IsThatOfTheWholePlanAtMost) {
  ShownEpsilon shown(kDelta);
  for (std::int64_t step = 1; step <= kSteps; ++step) {
    EXPECT_LE(shown.of(after(step), kSteps, 1e6), after(kSteps).cost_at_delta(kDelta).epsilon);
  }
}

TEST(ShownEpsilon, IsNothingBeforeTheFirstStepAndThatOfOneStepAfterIt) {
  for (const double speed : {0.0, 10.0, 1e6}) {
    ShownEpsilon shown(kDelta);
    EXPECT_EQ(shown.of(after(0), kSteps, speed), 0);
    EXPECT_EQ(shown.of(after(1), kSteps, speed), after(1).cost_at_delta(kDelta).epsilon);
  }
}

TEST(ShownEpsilon, BeforeTheFirstStepItIsOfWhatWasReleasedBesideThem) {
  PlanOptions options = after(0).plan.options();
  options.releases = {{"counts", 10}};
  const Spend spent{Plan(options), 0};
  ShownEpsilon shown(kDelta);
  EXPECT_EQ(shown.of(spent, kSteps, 0), spent.cost_at_delta(kDelta).epsilon);
  EXPECT_GT(shown.of(spent, kSteps, 0), 0);
}

TEST(ShownEpsilon, RisesWithTheSteps) {
  ShownEpsilon shown(kDelta);
  const double total = epsilon_after(kSteps, after(0), kDelta);
  EXPECT_EQ(total, after(kSteps).cost_at_delta(kDelta).epsilon);
  const double first = shown.of(after(1), kSteps, 10);
  EXPECT_LT(first, total);
  EXPECT_GT(shown.of(after(kSteps), kSteps, 10), first);
}

}  // namespace
}  // namespace sotto::runs
