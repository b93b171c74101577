#include "sotto/accounting/theorems.h"

#include <gtest/gtest.h>

#include <boost/math/special_functions/erf.hpp>
#include <cmath>

#include "sotto/accounting/accountants.h"
#include "sotto/core/error.h"
#include "tests/core/exact_numbers.h"

namespace sotto::accounting {
namespace {

TEST(GaussianMechanism, CalibrationLandsOnThePrivateSide) {
  for (const double epsilon : {1e-6, 0.01, 1.0, 30.0, 800.0, 1e5}) {
    for (const double delta : {0.1, 1e-5, 1e-50}) {
      const double sigma = gaussian_sigma({epsilon, delta});
      EXPECT_LE(gaussian_delta(sigma, epsilon), delta * (1 + 1e-9)) << epsilon << ' ' << delta;
      EXPECT_NEAR(gaussian_epsilon(sigma, delta) / epsilon, 1, 1e-6) << epsilon << ' ' << delta;
    }
  }
}

TEST(GaussianMechanism, EpsilonRoundsUp) {
  for (const double sigma : {0.01, 0.5, 3.0, 50.0}) {
    const double epsilon = gaussian_epsilon(sigma, 1e-5);
    EXPECT_LE(gaussian_delta(sigma, epsilon), 1e-5 * (1 + 1e-12));
  }
  EXPECT_EQ(gaussian_epsilon(1e6, 0.5), 0);
}

Exact exact_cdf(const Exact& x) { return boost::math::erfc(Exact(-x / sqrt(Exact(2)))) / 2; }

// Balle and Wang 2018, Theorem 8.
Exact exact_delta(double sigma, double epsilon) {
  const Exact half = 1 / (2 * Exact(sigma));
  const Exact shift = Exact(epsilon) * sigma;
  return exact_cdf(half - shift) - exp(Exact(epsilon)) * exact_cdf(-half - shift);
}

TEST(GaussianMechanism, TheIntervalHoldsTheExactValue) {
  for (const double sigma : {0.1, 0.37, 1.0, 5.3, 40.0, 700.0, 1e4}) {
    const PldAccountant accountant(Composition(GaussianEvent(sigma), 1), Neighbours());
    for (const double delta : {0.3, 1e-2, 1e-5, 1e-10, 1e-40, 1e-150}) {
      const auto epsilon = accountant.epsilon(delta);
      EXPECT_LE(exact_delta(sigma, epsilon.upper), delta) << sigma << ' ' << delta;
      if (epsilon.lower > 0) {
        EXPECT_GE(exact_delta(sigma, epsilon.lower), delta) << sigma << ' ' << delta;
      }
      const auto again = accountant.delta(epsilon.upper);
      const Exact exact = exact_delta(sigma, epsilon.upper);
      EXPECT_LE(again.lower, exact) << sigma << ' ' << delta;
      EXPECT_GE(again.upper, exact) << sigma << ' ' << delta;
    }
  }
}

TEST(GaussianMechanism, ClassicFormulaIsLooserAndRefusedAboveOne) {
  for (const double epsilon : {0.1, 0.5, 1.0}) {
    EXPECT_GT(classic_gaussian_sigma({epsilon, 1e-5}), gaussian_sigma({epsilon, 1e-5}));
  }
  EXPECT_NEAR(classic_gaussian_sigma({1, 1e-5}), 4.84480, 1e-5);
  EXPECT_THROW(classic_gaussian_sigma({1.01, 1e-5}), NoValidAnalysis);
}

TEST(GaussianMechanism, RefusesBadTargets) {
  EXPECT_THROW(gaussian_sigma({0, 1e-5}), InvalidArgument);
  EXPECT_THROW(gaussian_sigma({1, 0}), InvalidArgument);
  EXPECT_THROW(gaussian_epsilon(0, 1e-5), InvalidArgument);
}

}  // namespace
}  // namespace sotto::accounting
