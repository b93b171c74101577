#include "sotto/accounting/tradeoff_curve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sotto/core/error.h"

namespace sotto::accounting {
namespace {

TEST(Belief, FollowsBayesRule) {
  const auto pair = tradeoff_of_pair({std::log(3.0), 0});
  const auto belief = belief_after_verdict(pair, 0.5, 0.01);
  EXPECT_NEAR(belief.lowest, 0.25, 1e-12);
  EXPECT_NEAR(belief.highest, 0.75, 1e-12);
  const auto nothing = belief_after_verdict(tradeoff_of_pair({0, 0}), 0.2, 0.01);
  EXPECT_NEAR(nothing.lowest, 0.2, 1e-12);
  EXPECT_NEAR(nothing.highest, 0.2, 1e-12);
  const double infinity = std::numeric_limits<double>::infinity();
  const auto much = belief_after_verdict(tradeoff_of_pair({infinity, 0}), 0.2, 0.01);
  EXPECT_NEAR(much.highest, 0.2 / (0.2 + 0.8 * 0.01), 1e-12);
  EXPECT_EQ(belief_after_verdict(pair, 0, 0.01).highest, 0);
  EXPECT_EQ(belief_after_verdict(pair, 1, 0.01).lowest, 1);
  EXPECT_THROW(belief_after_verdict(pair, 1.5, 0.01), InvalidArgument);
  EXPECT_THROW(belief_after_verdict(pair, 0.5, 0), InvalidArgument);
}

// (ε, δ) bounds no single outcome: with δ > 0 a verdict rare enough may be as good as proof.
TEST(Belief, RareVerdictsSayMore) {
  const auto pair = tradeoff_of_pair({1, 1e-5});
  EXPECT_GT(belief_after_verdict(pair, 0.5, 1e-9).highest, 0.999);
  double last = 1;
  for (const double rate : {1e-9, 1e-6, 1e-4, 0.01, 0.1, 0.5, 1.0}) {
    const auto belief = belief_after_verdict(pair, 0.5, rate);
    EXPECT_LE(belief.highest, last);
    EXPECT_NEAR(belief.highest, 1 - belief.lowest, 1e-12);
    last = belief.highest;
  }
  EXPECT_NEAR(last, 0.5, 1e-12);
}

}  // namespace
}  // namespace sotto::accounting
