#include "sotto/accounting/tuning.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "sotto/accounting/privacy_cost.h"
#include "sotto/core/error.h"

namespace sotto::accounting {
namespace {

const Composition& one_run() {
  static const Composition run(PoissonGaussianEvent(0.01, 2), 1000);
  return run;
}

TEST(Tuning, FixedRunsAreComposed) {
  EXPECT_EQ(tuned_by_fixed_runs(one_run(), 7).parts()[0].count, 7000);
  EXPECT_THROW(tuned_by_fixed_runs(one_run(), 0), InvalidArgument);
}

TEST(Tuning, GeometricRunsHaveTheirMean) {
  EXPECT_NEAR(RandomNumberOfRuns::geometric(25).mean(), 25, 1e-9);
  EXPECT_THROW(RandomNumberOfRuns::geometric(1), InvalidArgument);
  EXPECT_THROW(RandomNumberOfRuns(-1, 0.5), InvalidArgument);
  // The logarithmic distribution is the limit of small shapes.
  EXPECT_NEAR(RandomNumberOfRuns(0, 0.1).mean(), RandomNumberOfRuns(1e-7, 0.1).mean(), 1e-5);
}

TEST(Tuning, CostsMoreThanOneRunAndLessThanManyComposed) {
  const RdpAccountant rdp(one_run(), Neighbours());
  const double alone = rdp.epsilon(1e-5).epsilon;
  const double tuned = tuned_by_random_runs(rdp, RandomNumberOfRuns::geometric(1000), 1e-5).epsilon;
  const double composed =
      RdpAccountant(tuned_by_fixed_runs(one_run(), 1000), Neighbours()).epsilon(1e-5).epsilon;
  EXPECT_GT(tuned, alone);
  EXPECT_LT(tuned, composed);
}

TEST(Tuning, CostGrowsWithTheNumberOfRuns) {
  const RdpAccountant rdp(one_run(), Neighbours());
  double previous = 0;
  for (const double mean : {1.5, 5.0, 50.0, 5000.0}) {
    const double epsilon =
        tuned_by_random_runs(rdp, RandomNumberOfRuns::geometric(mean), 1e-5).epsilon;
    EXPECT_GT(epsilon, previous);
    previous = epsilon;
  }
}

TEST(Tuning, LogarithmicRunsHaveTheirMean) {
  for (const double mean : {1.1, 3.0, 40.0, 1e6}) {
    EXPECT_NEAR(RandomNumberOfRuns::logarithmic(mean).mean(), mean, 1e-6 * mean);
  }
  EXPECT_EQ(RandomNumberOfRuns::logarithmic(3).shape(), 0);
  EXPECT_THROW(RandomNumberOfRuns::logarithmic(1), InvalidArgument);
}

// A mechanism with two outcomes, of which the better one has probability p or p': everything about
// the best of a Poisson number of runs can be summed up by hand.
double divergence_of_best(double order, double mean, double p, double p_other) {
  const auto outcomes = [&](double better) {
    return std::array{std::exp(-mean), std::exp(-mean * better) - std::exp(-mean),
                      1 - std::exp(-mean * better)};
  };
  const auto one = outcomes(p);
  const auto other = outcomes(p_other);
  double sum = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    sum += std::pow(one[i], order) * std::pow(other[i], 1 - order);
  }
  return std::log(sum) / (order - 1);
}

TEST(Tuning, PoissonRunsCostAtLeastWhatAnExactExampleDoes) {
  // Randomised response with ε = 0.2, of which RDP is known exactly.
  const double p = std::exp(0.2) / (1 + std::exp(0.2));
  const Composition response(BlackBoxEvent(0.2, 0), 1);
  for (const double order : {1.5, 2.0, 4.0, 16.0}) {
    const RdpAccountant one(response, Neighbours(), RdpOrders({order}));
    for (const double mean : {0.01, 0.5, 3.0, 30.0}) {
      const double bound = tuned_by_poisson_runs(one, mean, 1e-5, Conversion::kClassic).epsilon +
                           std::log(1e-5) / (order - 1);
      EXPECT_GE(bound, divergence_of_best(order, mean, p, 1 - p)) << order << ' ' << mean;
      EXPECT_GE(bound, divergence_of_best(order, mean, 1 - p, p)) << order << ' ' << mean;
    }
  }
}

TEST(Tuning, PoissonRunsCostLittleMoreThanOne) {
  const RdpAccountant rdp(one_run(), Neighbours());
  const double alone = rdp.epsilon(1e-5).epsilon;
  const double few = tuned_by_poisson_runs(rdp, 5, 1e-5).epsilon;
  const double many = tuned_by_poisson_runs(rdp, 500, 1e-5).epsilon;
  EXPECT_GT(few, alone);
  EXPECT_GT(many, few);
  EXPECT_LT(few, tuned_by_random_runs(rdp, RandomNumberOfRuns::geometric(5), 1e-5).epsilon);
  EXPECT_THROW(tuned_by_poisson_runs(rdp, 0, 1e-5), InvalidArgument);
}

// What black boxes miss is paid for out of δ; where δ is too small for that, nothing is claimed.
TEST(Tuning, BlackBoxesThatHardlyEverFailCostLittle) {
  const Composition plain(PoissonGaussianEvent(0.01, 1.1), 500);
  Composition boxed = plain;
  boxed.add(BlackBoxEvent(0, 1e-13));
  const RdpAccountant without{plain, Neighbours()};
  const RdpAccountant with{boxed, Neighbours()};
  for (const double delta : {1e-5, 1e-6}) {
    const double expected =
        tuned_by_random_runs(without, RandomNumberOfRuns::geometric(20), delta).epsilon;
    const double priced =
        tuned_by_random_runs(with, RandomNumberOfRuns::geometric(20), delta).epsilon;
    EXPECT_GT(priced, expected);
    EXPECT_LT(priced, 1.001 * expected);
    EXPECT_GT(tuned_by_poisson_runs(with, 20, delta).epsilon,
              tuned_by_poisson_runs(without, 20, delta).epsilon);
  }
  EXPECT_THROW(tuned_by_random_runs(with, RandomNumberOfRuns::geometric(20), 1e-9),
               InvalidArgument);
}

}  // namespace
}  // namespace sotto::accounting
