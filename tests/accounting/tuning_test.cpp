#include "sotto/accounting/tuning.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace sotto::accounting
