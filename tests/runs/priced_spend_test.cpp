#include "runs/priced_spend.h"

#include <gtest/gtest.h>

#include "core/stopwatch.h"
#include "tests/runs/run_files.h"

namespace sotto::runs {
namespace {

Spend spend_of(const RunFiles& files, std::int64_t steps) { return {plan_of(files), steps}; }

Spend searched(std::int64_t steps, std::int64_t searches) {
  PlanOptions options = plan_of({}).options();
  options.clipping = SearchedClipping{};
  options.bounded = BoundedNoise{NoiseStrategy::kGlobal, {}, {1}};  // it goes with clipless only
  return {Plan(options), steps, searches};
}

// Asked for in turn and again, each has the price that it would have had alone.
TEST(PricedSpend, IsWhatTheAccountantSays) {
  RunFiles quiet;
  quiet.noise_multiplier = 2;
  RunFiles person;
  person.group_size = 2;
  const std::vector<Spend> spends = {spend_of({}, 40),     spend_of({}, 41), spend_of(quiet, 40),
                                     spend_of(person, 40), searched(40, 0),  searched(40, 9)};
  for (int again = 0; again < 2; ++again) {
    for (const double delta : {1e-5, 1e-6}) {
      for (const auto& spend : spends) {
        const auto cost = priced(spend, delta);
        const auto direct = spend.cost_at_delta(delta);
        EXPECT_EQ(cost.epsilon, direct.epsilon);
        EXPECT_EQ(cost.epsilon_lower, direct.epsilon_lower);
        EXPECT_EQ(cost.delta, delta);
      }
    }
  }
}

// What a thousand runs promise must not take half a minute to check.
TEST(PricedSpend, TheSameIsComputedOnce) {
  const auto spend = spend_of({}, 39);
  double once = 0;
  double again = 0;
  {
    const Stopwatch watch(once);
    static_cast<void>(priced(spend, 1e-7));
  }
  {
    const Stopwatch watch(again);
    for (int i = 0; i < 1000; ++i) static_cast<void>(priced(spend, 1e-7));
  }
  EXPECT_LT(again, 100 * once);
}

TEST(PricedSpend, WhatHasNoPriceIsRefusedEveryTime) {
  const auto spend = spend_of({}, 40);
  for (int i = 0; i < 2; ++i) EXPECT_ANY_THROW(priced(spend, 0));
}

}  // namespace
}  // namespace sotto::runs
