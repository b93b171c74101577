#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "mechanisms/decimal.h"

namespace sotto::mechanisms {
namespace {

TEST(Decimal, AddsAsPeopleDo) {
  Decimal sum;
  for (int i = 0; i < 10; ++i) sum += Decimal(0.1);
  EXPECT_EQ(sum.nearest(), 1);
  EXPECT_FALSE(sum < Decimal(1));
  EXPECT_FALSE(Decimal(1) < sum);
  EXPECT_EQ((Decimal(0.1) + Decimal(0.2)).nearest(), 0.3);
  EXPECT_EQ((Decimal(1) - Decimal(0.9)).nearest(), 0.1);
  EXPECT_EQ((Decimal(-1.5) + Decimal(1.5)).nearest(), 0);
  EXPECT_EQ((Decimal(1e300) + Decimal(1e-300) - Decimal(1e300)).nearest(), 1e-300);
}

TEST(Decimal, ASumThatNoDoubleHoldsIsInfinite) {
  Decimal sum(1e308);
  sum += Decimal(1e308);
  EXPECT_TRUE(std::isinf(sum.nearest()));
}

TEST(Decimal, MultipliesAndDivides) {
  EXPECT_EQ((Decimal(0.12) * 434).nearest(), 52.08);
  EXPECT_EQ(shifted(Decimal(120), 3).nearest(), 0.12);
  EXPECT_EQ(whole_quotient(Decimal(0.3), Decimal(0.1)), 3);  // 2.9999999999999996 for doubles
  EXPECT_EQ(whole_quotient(Decimal(100), Decimal(0.3)), 333);
  const auto share = Decimal(0.95).fraction();
  EXPECT_EQ(share.numerator, 19);
  EXPECT_EQ(share.denominator, 20);
  EXPECT_EQ(Decimal(3e20).fraction().denominator, 1);
}

RC_GTEST_PROP(DecimalProperties, EveryDoubleComesBack, (double value)) {
  RC_PRE(std::isfinite(value));
  RC_ASSERT(Decimal(value).nearest() == value);
}

}  // namespace
}  // namespace sotto::mechanisms
