#include "sotto/accounting/theorems.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "sotto/accounting/accountants.h"
#include "sotto/core/error.h"

namespace sotto::accounting {
namespace {

TEST(Composition, BasicAddsAndParallelTakesTheWorst) {
  const std::vector<EpsilonDelta> parts{{0.5, 1e-6}, {0.2, 3e-6}};
  EXPECT_DOUBLE_EQ(basic_composition(parts).epsilon, 0.7);
  EXPECT_DOUBLE_EQ(basic_composition(parts).delta, 4e-6);
  EXPECT_DOUBLE_EQ(parallel_composition(parts).epsilon, 0.5);
  EXPECT_DOUBLE_EQ(parallel_composition(parts).delta, 3e-6);
}

TEST(Composition, AdvancedMatchesItsFormula) {
  const auto total = advanced_composition({0.1, 1e-8}, 100, 1e-6);
  EXPECT_NEAR(total.epsilon, 0.1 * std::sqrt(200 * std::log(1e6)) + 10 * std::expm1(0.1), 1e-12);
  EXPECT_NEAR(total.delta, 2e-6, 1e-18);
}

// Kairouz, Oh and Viswanath's closed form and the loss distribution of the worst mechanism are the
// same statement, computed in two ways.
TEST(Composition, OptimalAgreesWithTheLossDistribution) {
  const EpsilonDelta each{0.2, 1e-4};
  const PldAccountant accountant(Composition(BlackBoxEvent(each.epsilon, each.delta), 50),
                                 Neighbours(), {.relative_width = 1e-9});
  for (const double delta : {0.006, 0.01, 0.1, 0.5}) {
    const auto epsilon = optimal_composition(each, 50, delta);
    ASSERT_TRUE(epsilon.has_value());
    EXPECT_LE(accountant.delta(*epsilon).lower, delta);
    if (*epsilon > 0) {
      EXPECT_GT(accountant.delta(*epsilon - 2 * each.epsilon).upper, delta);
    }
  }
}

TEST(Composition, OptimalDoesNotOverflow) {
  const auto epsilon = optimal_composition({2, 0}, 5000, 1e-6);  // εk = 10000
  ASSERT_TRUE(epsilon.has_value());
  EXPECT_GT(*epsilon, 7000);
  EXPECT_LT(*epsilon, 8200);
}

TEST(Composition, OptimalOfNoPrivacyIsNone) {
  EXPECT_TRUE(std::isinf(
      optimal_composition({std::numeric_limits<double>::infinity(), 0}, 2, 1e-6).value()));
}

TEST(Sampling, AmplifiesAndNeverHurts) {
  const auto amplified = amplified_by_sampling({1, 1e-6}, 0.01);
  EXPECT_NEAR(amplified.epsilon, std::log1p(0.01 * std::expm1(1)), 1e-15);
  EXPECT_DOUBLE_EQ(amplified.delta, 1e-8);
  EXPECT_NEAR(amplified_by_sampling({2000, 0}, 0.5).epsilon, 2000 + std::log(0.5), 1e-9);
  EXPECT_THROW(amplified_by_sampling({1, 0}, 1.5), InvalidArgument);
}

TEST(Groups, PayForEveryRecord) {
  const auto group = for_group({0.5, 1e-6}, 3);
  EXPECT_DOUBLE_EQ(group.epsilon, 1.5);
  EXPECT_NEAR(group.delta, 1e-6 * (1 + std::exp(0.5) + std::exp(1.0)), 1e-18);
  EXPECT_EQ(for_group({100, 1e-6}, 50).delta, 1);
  EXPECT_DOUBLE_EQ(for_group({0, 1e-6}, 4).delta, 4e-6);
}

}  // namespace
}  // namespace sotto::accounting
