#include "sotto/accounting/privacy_cost.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sotto/core/error.h"

namespace sotto::accounting {
namespace {

const Composition& run() {
  static const Composition composition(PoissonGaussianEvent(0.04, 1.5), 2249);
  return composition;
}

PrivacyCost cost_by(Accountant accountant) {
  AccountingOptions options;
  options.accountant = accountant;
  return cost_at_delta(run(), Neighbours(), 1e-5, options);
}

TEST(PrivacyCost, SaysWhatKindOfNumberItIs) {
  const auto pld = cost_by(Accountant::kPld);
  ASSERT_TRUE(pld.epsilon_lower.has_value());
  EXPECT_LE(*pld.epsilon_lower, 6.76705);
  EXPECT_GE(pld.epsilon, 6.76704);
  EXPECT_FALSE(pld.is_approximation);
  const auto rdp = cost_by(Accountant::kRdp);
  EXPECT_TRUE(rdp.order.has_value());
  EXPECT_FALSE(rdp.epsilon_lower.has_value());
}

// The central limit theorem understates here: the reason why it is never the default.
TEST(PrivacyCost, MarksTheApproximationThatUnderstates) {
  const auto gdp = cost_by(Accountant::kGdp);
  EXPECT_TRUE(gdp.is_approximation);
  EXPECT_LT(gdp.epsilon, *cost_by(Accountant::kPld).epsilon_lower);
}

TEST(PrivacyCost, WithoutNoiseItIsInfinite) {
  const Composition noiseless(PoissonGaussianEvent(0.1, 0), 1);
  for (const Accountant accountant : {Accountant::kPld, Accountant::kRdp, Accountant::kGdp}) {
    AccountingOptions options;
    options.accountant = accountant;
    EXPECT_TRUE(std::isinf(cost_at_delta(noiseless, Neighbours(), 1e-5, options).epsilon));
    EXPECT_EQ(cost_at_epsilon(noiseless, Neighbours(), 1, options).delta, 1);
  }
}

TEST(PrivacyCost, NothingCostsNothing) {
  EXPECT_EQ(cost_at_delta(Composition(), Neighbours(), 1e-5).epsilon, 0);
  EXPECT_EQ(cost_at_epsilon(Composition(), Neighbours(), 1).delta, 0);
}

TEST(PrivacyCost, RefusesWhatIsOutOfRange) {
  EXPECT_THROW(cost_at_delta(run(), Neighbours(), 0), InvalidArgument);
  EXPECT_THROW(cost_at_delta(run(), Neighbours(), 1), InvalidArgument);
  EXPECT_THROW(cost_at_epsilon(run(), Neighbours(), -1), InvalidArgument);
  EXPECT_THROW(cost_at_epsilon(run(), Neighbours(), std::nan("")), InvalidArgument);
}

}  // namespace
}  // namespace sotto::accounting
