#include "sweep/run_count.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sotto/core/error.h"

namespace sotto::sweep {
namespace {

constexpr int kDraws = 20000;

// Mean, and share of ones, of many draws.
std::pair<double, double> observed(RunsDistribution distribution, double mean) {
  SeededRandomNotPrivate random(20261116);
  const RandomCount count(distribution, mean);
  double sum = 0;
  int ones = 0;
  for (int i = 0; i < kDraws; ++i) {
    const auto drawn = count.draw(random);
    EXPECT_GE(drawn, distribution == RunsDistribution::kPoisson ? 0 : 1);
    sum += static_cast<double>(drawn);
    ones += drawn == 1 ? 1 : 0;
  }
  return {sum / kDraws, static_cast<double>(ones) / kDraws};
}

TEST(RunCount, IsDrawnFromTheStatedDistribution) {
  const auto [geometric_mean, geometric_ones] = observed(RunsDistribution::kGeometric, 5);
  EXPECT_NEAR(geometric_mean, 5, 0.2);
  EXPECT_NEAR(geometric_ones, 0.2, 0.015);
  const auto [poisson_mean, poisson_ones] = observed(RunsDistribution::kPoisson, 5);
  EXPECT_NEAR(poisson_mean, 5, 0.1);
  EXPECT_NEAR(poisson_ones, 5 * std::exp(-5), 0.01);
  // γ = 0.1: mean 9 / ln 10, ones 0.9 / ln 10.
  const auto [log_mean, log_ones] = observed(RunsDistribution::kLogarithmic, 9 / std::log(10));
  EXPECT_NEAR(log_mean, 9 / std::log(10), 0.2);
  EXPECT_NEAR(log_ones, 0.9 / std::log(10), 0.02);
}

TEST(RunCount, NamesAndMeansAreChecked) {
  EXPECT_EQ(runs_distribution_from_name("logarithmic"), RunsDistribution::kLogarithmic);
  EXPECT_THROW(runs_distribution_from_name("binomial"), InvalidArgument);
  EXPECT_THROW(RandomCount(RunsDistribution::kPoisson, 1), InvalidArgument);
  EXPECT_THROW(RandomCount(RunsDistribution::kPoisson, 1e4), InvalidArgument);
}

}  // namespace
}  // namespace sotto::sweep
