#include "sotto/accounting/event.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sotto/accounting/guarantee.h"
#include "sotto/core/error.h"

namespace sotto::accounting {
namespace {

const double kNaN = std::nan("");
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Events, AreBornValid) {
  for (const double bad : {-0.1, 1.1, 0.0, kNaN, kInfinity}) {
    EXPECT_THROW(PoissonGaussianEvent(bad, 1), InvalidArgument) << bad;
    EXPECT_THROW(FixedSizeGaussianEvent(bad, 1), InvalidArgument) << bad;
    EXPECT_THROW(LaplaceEvent(1, bad), InvalidArgument) << bad;
  }
  for (const double bad : {-1e-9, kNaN, kInfinity}) {
    EXPECT_THROW(GaussianEvent{bad}, InvalidArgument) << bad;
    EXPECT_THROW(PoissonGaussianEvent(0.5, bad), InvalidArgument) << bad;
    EXPECT_THROW(LaplaceEvent{bad}, InvalidArgument) << bad;
  }
  EXPECT_THROW(RandomizedResponseEvent(1.5, 2), InvalidArgument);
  EXPECT_THROW(RandomizedResponseEvent(0.5, 1), InvalidArgument);
  EXPECT_THROW(BlackBoxEvent(-1, 0), InvalidArgument);
  EXPECT_THROW(BlackBoxEvent(1, 2), InvalidArgument);
  EXPECT_THROW(Composition(GaussianEvent(1), -1), InvalidArgument);
  EXPECT_THROW(Neighbours(Adjacency::kAddRemove, 0), InvalidArgument);
}

TEST(Events, MessagesNameTheValue) {
  try {
    PoissonGaussianEvent(1.5, 1);
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "sample rate must be in (0, 1], got 1.5");
  }
}

TEST(Events, DescribeThemselves) {
  EXPECT_EQ(describe(PoissonGaussianEvent(0.01, 1.1)),
            "Poisson-sampled Gaussian (sample rate 0.01, noise multiplier 1.1)");
  EXPECT_EQ(describe(BlackBoxEvent(1, 1e-6)), "black box (epsilon 1, delta 1e-06)");
}

TEST(Compositions, CountAndRepeat) {
  Composition composition(GaussianEvent(1), 3);
  composition.add(LaplaceEvent(2), 0).add(LaplaceEvent(3));
  ASSERT_EQ(composition.parts().size(), 2U);
  const Composition twice = composition.repeated(2);
  EXPECT_EQ(twice.parts()[0].count, 6);
  EXPECT_EQ(twice.parts()[1].count, 2);
  EXPECT_TRUE(composition.repeated(0).empty());
  EXPECT_THROW(Composition(GaussianEvent(1), std::numeric_limits<std::int64_t>::max()).repeated(2),
               InvalidArgument);
}

TEST(Compositions, KnowWhenThereIsNoNoise) {
  EXPECT_TRUE(Composition(PoissonGaussianEvent(0.1, 0), 1).has_noiseless_part());
  EXPECT_TRUE(Composition(RandomizedResponseEvent(0, 4), 1).has_noiseless_part());
  EXPECT_FALSE(Composition(PoissonGaussianEvent(0.1, 0.5), 1).has_noiseless_part());
}

TEST(Relations, HaveNamesAndSensitivities) {
  for (const Adjacency adjacency :
       {Adjacency::kAddRemove, Adjacency::kReplaceOne, Adjacency::kZeroOut}) {
    EXPECT_EQ(adjacency_from_name(to_string(adjacency)), adjacency);
  }
  EXPECT_THROW(adjacency_from_name("substitute"), InvalidArgument);
  EXPECT_EQ(Neighbours(Adjacency::kReplaceOne).sum_sensitivity(), 2);
  EXPECT_EQ(Neighbours(Adjacency::kZeroOut, 3).sum_sensitivity(), 3);
}

}  // namespace
}  // namespace sotto::accounting
