#include "core/percentage.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sotto {
namespace {

TEST(Percentage, RoundsToTheSideThatIsAskedFor) {
  EXPECT_EQ(percentage(0.7311, 1, Rounding::kUp), "73.2 %");
  EXPECT_EQ(percentage(0.7311, 1, Rounding::kDown), "73.1 %");
  EXPECT_EQ(percentage(0.7316, 1), "73.2 %");
  EXPECT_EQ(percentage(0.30000000000000004, 1, Rounding::kUp), "30.0 %");
  EXPECT_EQ(percentage(0.29999999999999998, 1, Rounding::kDown), "30.0 %");
  EXPECT_EQ(percentage(-0.00001, 1), "0.0 %");
}

TEST(Percentage, IsCertainOnlyOfWhatIsCertain) {
  EXPECT_EQ(percentage(1, 1), "100.0 %");
  EXPECT_EQ(percentage(1, 1, Rounding::kUp), "100.0 %");
  EXPECT_EQ(percentage(0.99996, 1), "99.996 %");
  EXPECT_EQ(percentage(0.9991, 1, Rounding::kUp), "99.91 %");
  EXPECT_EQ(percentage(0.99999999, 1), "more than 99.9999 %");
  EXPECT_EQ(percentage(std::nextafter(1.0, 0.0), 0, Rounding::kUp), "just under 100 %");
}

TEST(Percentage, IsZeroOnlyIfItCannotBe) {
  EXPECT_EQ(percentage(0, 1), "0.0 %");
  EXPECT_EQ(percentage(0, 1, Rounding::kUp), "0.0 %");
  EXPECT_EQ(percentage(0.0002, 1), "0.02 %");
  EXPECT_EQ(percentage(0.0009, 1, Rounding::kDown), "0.09 %");
  EXPECT_EQ(percentage(1e-12, 1), "less than 0.0001 %");
  EXPECT_EQ(percentage(1e-300, 2, Rounding::kDown), "less than 0.00001 %");
}

TEST(Percentage, NeitherAtAnyNumberOfDigits) {
  for (const double share : {1e-15, 1e-6, 0.3, 0.99, 0.9999, 1 - 1e-9, 1 - 1e-15}) {
    for (const auto rounding : {Rounding::kNearest, Rounding::kUp, Rounding::kDown}) {
      for (const int digits : {1, 2, 3, 6}) {
        for (const auto& text :
             {percentage(share, digits, rounding), short_percentage(share, digits, rounding)}) {
          EXPECT_NE(text.rfind("100", 0), 0U) << text;
          EXPECT_NE(text, "0 %");
          EXPECT_NE(text.find_first_of("123456789"), std::string::npos) << text;
        }
      }
    }
  }
}

TEST(Percentage, OfABoundThatRoundedToOne) {
  EXPECT_EQ(percentage(less_than_certain(1), 1, Rounding::kUp), "just under 100 %");
  EXPECT_EQ(less_than_certain(0.5), 0.5);
  EXPECT_EQ(less_than_certain(0), 0);
}

TEST(Percentage, InFewDigits) {
  EXPECT_EQ(short_percentage(0.0077, 3), "0.77 %");
  EXPECT_EQ(short_percentage(0.20141, 3, Rounding::kUp), "20.2 %");
  EXPECT_EQ(short_percentage(0.3, 3), "30 %");
  EXPECT_EQ(short_percentage(64.0 / 60000, 4), "0.1067 %");
  EXPECT_EQ(short_percentage(1, 3), "100 %");
  EXPECT_EQ(short_percentage(0, 3), "0 %");
  EXPECT_EQ(short_percentage(0.99999, 3), "99.999 %");
  EXPECT_EQ(short_percentage(1e-7, 2), "0.00001 %");
}

}  // namespace
}  // namespace sotto
