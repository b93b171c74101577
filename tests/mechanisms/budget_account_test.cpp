#include <gtest/gtest.h>

#include <cmath>

#include "sotto/core/error.h"
#include "sotto/mechanisms/budget_account.h"

namespace sotto::mechanisms {
namespace {

TEST(BudgetAccount, TakesTenTenthsOfOne) {
  BudgetAccount account(BudgetTerms{{1, 0}});
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(account.affords({{0.1, 0}})) << i;
    account.add({{0.1, 0}});
  }
  EXPECT_FALSE(account.affords({{1e-9, 0}}));
  EXPECT_EQ(account.spent().epsilon, 1);
  EXPECT_EQ(account.left().epsilon, 0);
}

TEST(BudgetAccount, LeavesWhatIsWritten) {
  BudgetAccount account(BudgetTerms{{1, 1e-5}});
  account.add({{0.1, 1e-6}});
  account.add({{0.2, 2e-6}});
  EXPECT_EQ(account.spent().epsilon, 0.3);
  EXPECT_EQ(account.left().epsilon, 0.7);
  EXPECT_EQ(account.left().delta, 7e-6);
  EXPECT_FALSE(account.affords({{0.7000000000001, 0}}));
  EXPECT_TRUE(account.affords({{0.7, 7e-6}}));
}

// Whatever a program divides its budget by: all parts, and no more.
TEST(BudgetAccount, TakesEqualParts) {
  for (int parts = 1; parts < 200; ++parts) {
    BudgetAccount account(BudgetTerms{{1, 0}});
    const double each = 1.0 / parts;
    for (int i = 0; i < parts; ++i) {
      ASSERT_TRUE(account.affords({{each, 0}})) << parts;
      account.add({{each, 0}});
    }
    EXPECT_FALSE(account.affords({{1e-9, 0}})) << parts;
    EXPECT_LT(account.left().epsilon, 1e-14) << parts;
  }
}

TEST(BudgetAccount, SumsBothNumbers) {
  BudgetAccount account(BudgetTerms{{1, 1e-5}});
  account.add({{0.25, 4e-6}, 5.0});
  EXPECT_DOUBLE_EQ(account.spent().epsilon, 0.25);
  EXPECT_DOUBLE_EQ(account.spent().delta, 4e-6);
  EXPECT_TRUE(account.affords({{0.75, 6e-6}}));
  EXPECT_FALSE(account.affords({{0.1, 7e-6}}));
  EXPECT_FALSE(account.affords({{0.76, 0}}));
}

TEST(BudgetAccount, ComposesTightlyWhenAsked) {
  BudgetAccount basic(BudgetTerms{{3, 1e-6}});
  BudgetAccount tight(BudgetTerms{{3, 1e-6}, Composing::kTight});
  for (int i = 0; i < 200; ++i) {
    basic.add({{0.05, 0}});
    tight.add({{0.05, 0}});
  }
  EXPECT_NEAR(basic.spent().epsilon, 10, 1e-9);
  EXPECT_LT(tight.spent().epsilon, 4);
  EXPECT_GT(tight.spent().epsilon, 1);
  EXPECT_EQ(tight.spent().delta, 1e-6);
}

TEST(BudgetAccount, SumsWhereThatIsLess) {
  BudgetAccount tight(BudgetTerms{{1, 1e-9}, Composing::kTight});
  tight.add({{0.3, 0}});
  EXPECT_LE(tight.spent().epsilon, 0.3);
}

// Gaussian queries compose as Gaussians: k of them cost about √k, not k.
TEST(BudgetAccount, ComposesGaussiansByTheirRenyiDivergence) {
  BudgetAccount tight(BudgetTerms{{10, 1e-5}, Composing::kTight});
  for (int i = 0; i < 100; ++i) tight.add({{0.5, 1e-6}, 10.0});
  EXPECT_LT(tight.spent().epsilon, 5.5);
  EXPECT_GT(tight.spent().epsilon, 3);
}

TEST(BudgetAccount, RefusesWhatIsNoBudget) {
  EXPECT_THROW(BudgetAccount(BudgetTerms{{0, 0}}), InvalidArgument);
  EXPECT_THROW(BudgetAccount(BudgetTerms{{INFINITY, 0}}), InvalidArgument);
  EXPECT_THROW(BudgetAccount(BudgetTerms{{1, 1}}), InvalidArgument);
  EXPECT_THROW(BudgetAccount(BudgetTerms{{1, 0}, Composing::kTight}), InvalidArgument);
  BudgetAccount account(BudgetTerms{{1, 0}});
  EXPECT_THROW(account.add({{-1, 0}}), InvalidArgument);
  EXPECT_THROW(account.add({{INFINITY, 0}}), InvalidArgument);
  EXPECT_THROW(account.add({{std::nan(""), 0}}), InvalidArgument);
  EXPECT_THROW(composing_from_name("best"), InvalidArgument);
}

}  // namespace
}  // namespace sotto::mechanisms
