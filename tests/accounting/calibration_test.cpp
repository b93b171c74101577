#include "sotto/accounting/budget.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "sotto/core/error.h"

namespace sotto::accounting {
namespace {

Composition run_with_noise(double noise) { return {PoissonGaussianEvent(0.01, noise), 2000}; }
Composition run_of_length(std::int64_t steps) { return {PoissonGaussianEvent(0.01, 1.1), steps}; }

double cost(const Composition& run, const AccountingOptions& options) {
  return cost_at_delta(run, Neighbours(), 1e-5, options).epsilon;
}

TEST(Calibration, NoiseIsEnoughAndNotTooMuch) {
  for (const Accountant accountant : {Accountant::kPld, Accountant::kRdp, Accountant::kGdp}) {
    AccountingOptions options;
    options.accountant = accountant;
    options.relative_width = 1e-4;
    for (const double target : {0.5, 1.0, 8.0, 60.0}) {
      const double noise =
          smallest_noise_multiplier({target, 1e-5}, Neighbours(), run_with_noise, options);
      EXPECT_LE(cost(run_with_noise(noise), options), target) << to_string(accountant);
      EXPECT_GT(cost(run_with_noise(noise * 0.999), options), target) << to_string(accountant);
    }
  }
}

// What is printed with six digits is the number itself, so whoever types it in gets the promise.
TEST(Calibration, NoiseHasSixDigits) {
  const double noise = smallest_noise_multiplier({2, 1e-5}, Neighbours(), run_with_noise);
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", noise);
  EXPECT_DOUBLE_EQ(std::strtod(text, nullptr), noise);
}

TEST(Calibration, MostRoundsIsTheMost) {
  for (const Accountant accountant : {Accountant::kPld, Accountant::kRdp}) {
    AccountingOptions options;
    options.accountant = accountant;
    for (const double target : {1.0, 2.0}) {
      const std::int64_t rounds =
          most_rounds({target, 1e-5}, Neighbours(), run_of_length, 1'000'000, options);
      ASSERT_GT(rounds, 0);
      EXPECT_LE(cost(run_of_length(rounds), options), target);
      EXPECT_GT(cost(run_of_length(rounds + 1), options), target);
    }
  }
}

TEST(Calibration, TellsWhenNothingIsAffordable) {
  const auto barely_noisy = [](std::int64_t steps) {
    return Composition(PoissonGaussianEvent(0.5, 0.3), steps);
  };
  EXPECT_EQ(most_rounds({0.1, 1e-9}, Neighbours(), barely_noisy, 1000), 0);
}

TEST(Calibration, EvenAHugeTargetIsKept) {
  for (const double target : {4e3, 2.3e5, 1e9}) {
    const auto one_gaussian = [](double noise) { return Composition(GaussianEvent(noise), 1); };
    const double noise = smallest_noise_multiplier({target, 1e-5}, Neighbours(), one_gaussian);
    EXPECT_LE(cost(one_gaussian(noise), {}), target);
  }
}

TEST(Calibration, RefusesBadTargets) {
  EXPECT_THROW(smallest_noise_multiplier({0, 1e-5}, Neighbours(), run_with_noise), InvalidArgument);
  EXPECT_THROW(smallest_noise_multiplier({1, 0}, Neighbours(), run_with_noise), InvalidArgument);
}

}  // namespace
}  // namespace sotto::accounting
