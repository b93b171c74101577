#include "accounting/rdp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/log_math.h"
#include "sotto/core/error.h"

namespace sotto::accounting {
namespace {

// The Rényi divergence of the sampled Gaussian by brute force: a plain sum over a fine grid.
double brute_force_rdp(double q, double sigma, double alpha) {
  std::vector<double> terms;
  const double step = sigma / 400;
  for (double z = -20 * sigma; z < alpha + 20 * sigma; z += step) {
    terms.push_back(alpha * log_mix_exp(q, (2 * z - 1) / (2 * sigma * sigma)) -
                    z * z / (2 * sigma * sigma) - 0.5 * std::log(2 * M_PI) - std::log(sigma) +
                    std::log(step));
  }
  return log_sum_exp(terms) / (alpha - 1);
}

TEST(RdpPoissonGaussian, MatchesBruteForce) {
  for (const double q : {0.01, 0.3, 0.9}) {
    for (const double sigma : {0.5, 1.0, 4.0}) {
      for (const double alpha : {1.3, 2.0, 2.5, 7.9, 20.0}) {
        const double expected = brute_force_rdp(q, sigma, alpha);
        EXPECT_NEAR(rdp_poisson_gaussian(q, sigma, alpha), expected, 1e-9 + 1e-9 * expected)
            << q << ' ' << sigma << ' ' << alpha;
      }
    }
  }
}

// Integer orders use a sum, others an integral: two methods that must meet.
TEST(RdpPoissonGaussian, IntegerAndFractionalOrdersMeet) {
  for (const double q : {1e-9, 1e-3, 0.3, 0.999}) {
    for (const double sigma : {0.05, 0.3, 1.0, 20.0, 1e4}) {
      for (const double alpha : {2.0, 5.0, 17.0, 200.0, 1500.0}) {
        const double by_sum = rdp_poisson_gaussian(q, sigma, alpha);
        const double by_integral = rdp_poisson_gaussian(q, sigma, alpha * (1 + 1e-13));
        EXPECT_NEAR(by_integral / by_sum, 1, 1e-7) << q << ' ' << sigma << ' ' << alpha;
      }
    }
  }
}

TEST(RdpPoissonGaussian, EdgesOfItsDomain) {
  EXPECT_EQ(rdp_poisson_gaussian(0, 1, 2), 0);
  EXPECT_EQ(rdp_poisson_gaussian(1, 2, 8), 1);
  EXPECT_EQ(rdp_poisson_gaussian(0.1, 0, 2), std::numeric_limits<double>::infinity());
  EXPECT_THROW(rdp_poisson_gaussian(0.1, 1, 1), InvalidArgument);
  EXPECT_THROW(rdp_poisson_gaussian(1.1, 1, 2), InvalidArgument);
  // Close to order 1 the divergence tends to Kullback and Leibler's, not to 0.
  const double near_one = rdp_poisson_gaussian(0.01, 1, 1 + 1e-8);
  EXPECT_NEAR(near_one / rdp_poisson_gaussian(0.01, 1, 1.0001), 1, 1e-3);
  EXPECT_GT(near_one, 0);
}

// The stop rule "until the last term is below e^-30", as found elsewhere, ends this series at its
// first term and returns a negative divergence. The check that our function passes must fail it.
double early_stopped_series(double q, double sigma, double alpha) {
  double log_a0 = -std::numeric_limits<double>::infinity();
  for (int i = 0;; ++i) {
    const double log_coefficient =
        std::lgamma(alpha + 1) - std::lgamma(i + 1.0) - std::lgamma(alpha - i + 1);
    const double t = log_coefficient + i * std::log(q) + (alpha - i) * std::log1p(-q) +
                     (static_cast<double>(i) * i - i) / (2 * sigma * sigma);
    log_a0 = log_add(log_a0, t);
    if (t < -30) break;
  }
  return log_a0 / (alpha - 1);
}

TEST(RdpPoissonGaussian, TheBruteForceCheckCatchesAnEarlyStop) {
  const double truth = brute_force_rdp(0.5, 20, 62.5);
  EXPECT_NEAR(rdp_poisson_gaussian(0.5, 20, 62.5) / truth, 1, 1e-9);
  EXPECT_LT(early_stopped_series(0.5, 20, 62.5), 0.1 * truth);
}

TEST(RdpFixedSize, NeverExceedsTheFullBatchAndGrowsWithTheRate) {
  for (const double alpha : {1.5, 2.0, 8.0, 40.0}) {
    double previous = 0;
    for (const double q : {0.001, 0.01, 0.1, 0.5, 1.0}) {
      const double rdp = rdp_fixed_size_gaussian(q, 1.5, alpha);
      EXPECT_LE(rdp, rdp_gaussian(1.5, alpha) * (1 + 1e-12));
      EXPECT_GE(rdp, previous);
      previous = rdp;
    }
  }
}

TEST(RdpFixedSize, StaysUsableForTinyNoise) {
  EXPECT_GT(rdp_fixed_size_gaussian(0.01, 0.01, 30), 0);
  EXPECT_LE(rdp_fixed_size_gaussian(0.01, 0.01, 30), rdp_gaussian(0.01, 30));
}

TEST(RdpMechanisms, LimitsAtHighOrders) {
  // At infinite order each is the mechanism's pure ε.
  EXPECT_NEAR(rdp_laplace(2, 1e7), 0.5, 1e-6);
  EXPECT_NEAR(rdp_pure(1.5, 1e7), 1.5, 1e-6);
  EXPECT_NEAR(rdp_randomized_response_replace_one(0.5, 2, 1e7), std::log(3.0), 1e-6);
  EXPECT_EQ(rdp_pure(0, 2), 0);
  EXPECT_TRUE(std::isfinite(rdp_pure(5000, 3)));
  EXPECT_EQ(rdp_randomized_response_replace_one(1, 5, 2), 0);
}

}  // namespace
}  // namespace sotto::accounting
