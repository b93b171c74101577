#include "sotto/accounting/gaussian_mechanism.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sotto/core/error.h"

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
