#include "sotto/accounting/accountants.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sotto/accounting/theorems.h"
#include "sotto/core/error.h"

namespace sotto::accounting {
namespace {

Enclosure epsilon_of(const Composition& composition, const Neighbours& neighbours, double delta,
                     double width = 1e-3) {
  return PldAccountant(composition, neighbours, {.relative_width = width}).epsilon(delta);
}

TEST(PldAccountant, ThesisRun) {
  const auto interval = epsilon_of(Composition(PoissonGaussianEvent(64.0 / 60000, 1), 14070),
                                   Neighbours(), 1e-5, 1e-5);
  EXPECT_LE(interval.lower, 0.6110815 + 1e-6);
  EXPECT_GE(interval.upper, 0.6110815 - 1e-6);
  EXPECT_LE(interval.relative_width(), 1e-5);
}

TEST(PldAccountant, IsNarrowWhereverTrainingHappens) {
  for (const double q : {1e-4, 1e-2, 0.5}) {
    for (const double sigma : {0.6, 1.0, 8.0}) {
      for (const std::int64_t steps : {1, 100, 100'000}) {
        for (const double delta : {1e-3, 1e-8}) {
          const auto interval =
              epsilon_of(Composition(PoissonGaussianEvent(q, sigma), steps), Neighbours(), delta);
          EXPECT_LE(interval.relative_width(), 1e-3)
              << q << ' ' << sigma << ' ' << steps << ' ' << delta;
        }
      }
    }
  }
}

TEST(PldAccountant, SplittingACompositionChangesNothing) {
  Composition split(PoissonGaussianEvent(0.02, 1.3), 400);
  split.add(PoissonGaussianEvent(0.02, 1.3), 600);
  const auto whole =
      epsilon_of(Composition(PoissonGaussianEvent(0.02, 1.3), 1000), Neighbours(), 1e-6);
  const auto parts = epsilon_of(split, Neighbours(), 1e-6);
  EXPECT_LE(whole.lower, parts.upper);
  EXPECT_LE(parts.lower, whole.upper);
}

TEST(PldAccountant, FullBatchesAreExactHoweverTheyAreDescribed) {
  Composition mixed(GaussianEvent(4), 3);
  mixed.add(PoissonGaussianEvent(1, 5), 2).add(FixedSizeGaussianEvent(1, 6), 1);
  const double sigma = 1 / std::sqrt(3.0 / 16 + 2.0 / 25 + 1.0 / 36);
  const auto interval = epsilon_of(mixed, Neighbours(), 1e-5);
  EXPECT_NEAR(interval.upper, gaussian_epsilon(sigma, 1e-5), 1e-8);
  EXPECT_LE(interval.relative_width(), 1e-9);
}

TEST(PldAccountant, GroupsCostMoreThanOneRecordAndLessThanTheGenericBound) {
  const Composition run(PoissonGaussianEvent(0.01, 1), 500);
  const auto one = epsilon_of(run, Neighbours(), 1e-6);
  const auto three = epsilon_of(run, Neighbours(Adjacency::kAddRemove, 3), 1e-6);
  EXPECT_GT(three.lower, one.upper);
  EXPECT_LT(three.upper, 5 * one.upper);
  // At q = 1 a group of k is noise divided by k.
  const auto full =
      epsilon_of(Composition(GaussianEvent(6), 1), Neighbours(Adjacency::kZeroOut, 3), 1e-6);
  EXPECT_NEAR(full.upper, gaussian_epsilon(2, 1e-6), 1e-8);
}

TEST(PldAccountant, ReplaceOneCostsMoreThanAddRemove) {
  const Composition poisson(PoissonGaussianEvent(0.05, 1.2), 200);
  EXPECT_GT(epsilon_of(poisson, Neighbours(Adjacency::kReplaceOne), 1e-5).lower,
            epsilon_of(poisson, Neighbours(Adjacency::kAddRemove), 1e-5).upper);
}

// The tight analysis of fixed-size sampling must lie below the Rényi bound, and above Poisson
// sampling with the same shift, whose curve it contains.
TEST(PldAccountant, FixedSizeIsTighterThanRenyi) {
  const Neighbours replace(Adjacency::kReplaceOne);
  const Composition run(FixedSizeGaussianEvent(0.01, 2), 1000);
  const auto tight = epsilon_of(run, replace, 1e-6);
  EXPECT_LT(tight.upper, RdpAccountant(run, replace).epsilon(1e-6).epsilon);
  const auto contained =
      epsilon_of(Composition(PoissonGaussianEvent(0.01, 1), 1000), Neighbours(), 1e-6);
  EXPECT_GE(tight.upper, contained.lower);
}

TEST(PldAccountant, RefusesWhatItCannotAnalyse) {
  const auto refused = [](const Event& event, Adjacency adjacency, int group) {
    EXPECT_THROW(PldAccountant(Composition(event, 1), Neighbours(adjacency, group)),
                 NoValidAnalysis)
        << describe(event);
  };
  refused(FixedSizeGaussianEvent(0.1, 1), Adjacency::kAddRemove, 1);
  refused(FixedSizeGaussianEvent(0.1, 1), Adjacency::kZeroOut, 1);
  refused(FixedSizeGaussianEvent(0.1, 1), Adjacency::kReplaceOne, 2);
  refused(PoissonGaussianEvent(0.1, 1), Adjacency::kReplaceOne, 2);
  refused(RandomizedResponseEvent(0.1, 3), Adjacency::kAddRemove, 1);
  refused(RandomizedResponseEvent(0.1, 3), Adjacency::kReplaceOne, 2);
  refused(LaplaceEvent(1, 0.5), Adjacency::kReplaceOne, 1);
  refused(BlackBoxEvent(1, 0), Adjacency::kZeroOut, 2);
}

TEST(PldAccountant, ExtremesNeitherCrashNorFlatter) {
  const auto checked = [](double q, double sigma, std::int64_t steps, double delta) {
    const Composition run(PoissonGaussianEvent(q, sigma), steps);
    const auto interval = epsilon_of(run, Neighbours(), delta);
    EXPECT_FALSE(std::isnan(interval.lower) || std::isnan(interval.upper));
    EXPECT_LE(0, interval.lower);
    EXPECT_LE(interval.lower, interval.upper);
    EXPECT_LE(interval.upper, RdpAccountant(run, Neighbours()).epsilon(delta).epsilon * (1 + 1e-9));
  };
  checked(1e-12, 1, 1, 1e-5);
  checked(1e-9, 1, 1'000'000, 1e-10);
  checked(1e-5, 0.1, 976'563, 1e-7);
  checked(0.01, 0.02, 10, 1e-5);
  checked(0.5, 1e4, 1000, 1e-5);
  checked(0.01, 1, 1000, 1e-150);
  checked(0.01, 1, 1000, 0.9);
  checked(1 - 1e-12, 1, 10, 1e-5);
  checked(0.01, 1, 100'000'000, 1e-5);
}

// e^loss overflows beyond 709; the loss of a faint Laplace noise does not stop there.
TEST(PldAccountant, LossesBeyondTheRangeOfExponentials) {
  for (const double q : {1.0, 0.5}) {
    const auto interval = epsilon_of(Composition(LaplaceEvent(0.0105, q), 12), Neighbours(), 1e-9);
    const double largest = 12 * (1 / 0.0105 + std::log(q));  // attained with probability 2^-12 q^12
    EXPECT_GE(interval.upper, largest - 0.05) << q;
    EXPECT_LE(interval.lower, largest + 1e-3) << q;
  }
}

TEST(PldAccountant, NearlyCommensurateAtomsStayOnTheirSides) {
  Composition mixed(BlackBoxEvent(0.01, 0), 1);
  mixed.add(BlackBoxEvent(0.01 * (1 + 4.9e-10), 0), 10'000);
  const auto stronger = epsilon_of(mixed, Neighbours(), 1e-5, 1e-6);
  const auto weaker =
      epsilon_of(Composition(BlackBoxEvent(0.01, 0), 10'001), Neighbours(), 1e-5, 1e-6);
  EXPECT_GE(stronger.upper, weaker.lower);
}

TEST(PldAccountant, ClosedFormIsWidenedWhereItLosesDigits) {
  const double sigma = 1e7;
  const auto delta = PldAccountant(Composition(GaussianEvent(sigma), 1), Neighbours()).delta(0);
  const double exact = std::erf(1 / (2 * sigma) / std::sqrt(2.0));
  EXPECT_LE(delta.lower, exact);
  EXPECT_GE(delta.upper, exact);
}

// The lower end of fixed-size sampling is what two concrete data sets attain.
TEST(PldAccountant, FixedSizeLowerEndIsAttained) {
  const Neighbours replace(Adjacency::kReplaceOne);
  const auto fixed = epsilon_of(Composition(FixedSizeGaussianEvent(0.02, 2), 500), replace, 1e-6);
  const auto attained =
      epsilon_of(Composition(PoissonGaussianEvent(0.02, 1), 500), Neighbours(), 1e-6);
  EXPECT_LE(fixed.lower, attained.upper);
  EXPECT_GE(fixed.upper, attained.lower);
}

TEST(PldAccountant, AlmostNoNoiseIsAnsweredAtOnceByTheRenyiBound) {
  for (const double sigma : {1e-2, 1e-9, 1e-150}) {
    const Composition run(PoissonGaussianEvent(0.01, sigma), 10);
    const auto interval = epsilon_of(run, Neighbours(), 1e-5);
    EXPECT_GT(interval.upper, 1e4);
    EXPECT_EQ(interval.lower, 0);
  }
}

TEST(PldAccountant, RefusesADeltaOutOfRange) {
  const PldAccountant accountant(Composition(GaussianEvent(1), 1), Neighbours());
  for (const double bad : {0.0, 1e-201, 1.0, -1.0, std::nan("")}) {
    EXPECT_THROW(accountant.epsilon(bad), InvalidArgument) << bad;
  }
  for (const double bad : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(accountant.delta(bad), InvalidArgument) << bad;
  }
}

}  // namespace
}  // namespace sotto::accounting
