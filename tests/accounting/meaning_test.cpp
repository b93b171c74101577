#include "sotto/accounting/meaning.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sotto/core/error.h"

namespace sotto::accounting {
namespace {

TEST(Belief, FollowsBayesRule) {
  const auto belief = belief_after_release(std::log(3.0), 0.5);
  EXPECT_NEAR(belief.lowest, 0.25, 1e-15);
  EXPECT_NEAR(belief.highest, 0.75, 1e-15);
  const auto nothing = belief_after_release(0, 0.2);
  EXPECT_NEAR(nothing.lowest, 0.2, 1e-15);
  EXPECT_NEAR(nothing.highest, 0.2, 1e-15);
  const auto everything = belief_after_release(std::numeric_limits<double>::infinity(), 0.2);
  EXPECT_EQ(everything.lowest, 0);
  EXPECT_EQ(everything.highest, 1);
  EXPECT_EQ(belief_after_release(5, 0).highest, 0);
  EXPECT_THROW(belief_after_release(1, 1.5), InvalidArgument);
  EXPECT_THROW(belief_after_release(-1, 0.5), InvalidArgument);
}

TEST(MembershipTest, AdvantageIsTheBestGapOverAllRates) {
  for (const EpsilonDelta guarantee :
       {EpsilonDelta{0.5, 0}, EpsilonDelta{1, 1e-3}, EpsilonDelta{3, 0.1}}) {
    double best = 0;
    for (int i = 0; i <= 100'000; ++i) {
      const double rate = i / 100'000.0;
      best = std::max(best, best_true_positive_rate(guarantee, rate) - rate);
    }
    EXPECT_NEAR(best_membership_advantage(guarantee), best, 2e-5);
  }
  EXPECT_EQ(best_membership_advantage({std::numeric_limits<double>::infinity(), 0}), 1);
  EXPECT_EQ(best_membership_advantage({0, 0}), 0);
}

}  // namespace
}  // namespace sotto::accounting
