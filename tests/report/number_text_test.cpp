#include "report/number_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sotto::report {
namespace {

TEST(NumberTextTest, IsWhatPeopleWrite) {
  EXPECT_EQ(number_text(60000), "60\u00a0000");
  EXPECT_EQ(number_text(1234567), "1\u00a0234\u00a0567");
  EXPECT_EQ(number_text(1000), "1000");
  EXPECT_EQ(number_text(1e-5), "1e-5");
  EXPECT_EQ(number_text(2.5e-10), "2.5e-10");
  EXPECT_EQ(number_text(0.8), "0.8");
  EXPECT_EQ(number_text(-0.25), "-0.25");
  EXPECT_EQ(number_text(2.5e7), "2.5e7");
  EXPECT_EQ(number_text(1e300), "1e300");
  EXPECT_EQ(number_text(0), "0");
  EXPECT_EQ(number_text(-0.0), "0");
  EXPECT_EQ(number_text(1.0 / 3), "0.333333");
  EXPECT_EQ(number_text(INFINITY), "∞");
}

TEST(NumberTextTest, TicksHaveTheDecimalsOfTheirStep) {
  EXPECT_EQ(tick_text(0.5, 0.25, false), "0.5");
  EXPECT_EQ(tick_text(1, 0.5, false), "1.0");
  EXPECT_EQ(tick_text(20000, 5000, false), "20\u00a0000");
  EXPECT_EQ(tick_text(0.2, 0.1, true), "20 %");
  EXPECT_EQ(tick_text(6e-6, 2e-6, false), "6e-6");
}

}  // namespace
}  // namespace sotto::report
