#include "report/axis.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "sotto/core/error.h"

namespace sotto::report {
namespace {

std::vector<std::string> labels(const Axis& axis) {
  std::vector<std::string> result;
  for (const auto& tick : axis.ticks()) {
    if (!tick.label.empty()) result.push_back(tick.label);
  }
  return result;
}

using Labels = std::vector<std::string>;

TEST(AxisTest, LinearTicksAreAtRoundNumbers) {
  EXPECT_EQ(labels(Axis({0, 5}, Scale::kLinear)), (Labels{"0", "1", "2", "3", "4", "5"}));
  EXPECT_EQ(labels(Axis({0.13, 0.97}, Scale::kLinear)),
            (Labels{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(labels(Axis({0, 1}, Scale::kLinear, {.percent = true})).back(), "100 %");
  EXPECT_EQ(labels(Axis({-3, 2}, Scale::kLinear)).front(), "-3");
  EXPECT_EQ(labels(Axis({0, 1e-5}, Scale::kLinear)).at(1), "2e-6");
  EXPECT_EQ(labels(Axis({0, 60000}, Scale::kLinear, {.ticks = 6})).back(), "60\u00a0000");
}

TEST(AxisTest, LogTicksAreDecadesWithSmallOnesBetween) {
  const Axis wide({1e-8, 1e-3}, Scale::kLog);
  EXPECT_EQ(labels(wide), (Labels{"1e-8", "1e-7", "1e-6", "1e-5", "1e-4", "0.001"}));
  EXPECT_EQ(wide.ticks().size(), 5U * 9 + 1);
  const Axis narrow({16, 400}, Scale::kLog);
  EXPECT_EQ(labels(narrow), (Labels{"10", "20", "50", "100", "200", "500"}));
  const Axis huge({1e-20, 1e20}, Scale::kLog);
  EXPECT_LE(labels(huge).size(), 10U);
  EXPECT_EQ(labels(Axis({1, 3}, Scale::kLog)), (Labels{"1.0", "1.5", "2.0", "2.5", "3.0"}));
}

TEST(AxisTest, MayEndExactlyWhereTheDataDo) {
  const Axis axis = Axis::between(16, 4096, Scale::kLog);
  EXPECT_EQ(axis.low(), 16);
  EXPECT_EQ(axis.high(), 4096);
  EXPECT_EQ(labels(axis).front(), "20");
  EXPECT_EQ(labels(axis).back(), "2000");
}

TEST(AxisTest, NothingAndOneNumberHaveAnAxis) {
  EXPECT_EQ(Axis({}, Scale::kLinear).low(), 0);
  EXPECT_EQ(Axis({}, Scale::kLog).low(), 1);
  const Axis one({7, 7}, Scale::kLinear);
  EXPECT_GT(one.share(7), 0.2);
  EXPECT_LT(one.share(7), 0.8);
}

TEST(AxisTest, LogRefusesZeroAndBelow) {
  EXPECT_THROW(Axis({0, 1}, Scale::kLog), InvalidArgument);
  EXPECT_FALSE(Axis({1, 2}, Scale::kLog).can_show(0));
  EXPECT_FALSE(Axis({1, 2}, Scale::kLinear).can_show(INFINITY));
}

// From far below 1 to far above, of either sign if `signed_too`.
double any_number(bool signed_too) {
  const double size = std::pow(10, *rc::gen::inRange(-120, 120) / 10.0);
  const double digits = 1 + *rc::gen::inRange(0, 1000) / 333.0;
  const bool negative = signed_too && *rc::gen::arbitrary<bool>();
  return negative ? -size * digits : size * digits;
}

void check_axis(const Range& range, Scale scale) {
  const Axis axis(range, scale);
  RC_ASSERT(axis.low() <= range.low && axis.high() >= range.high);
  RC_ASSERT(axis.share(axis.low()) == 0 && std::abs(axis.share(axis.high()) - 1) < 1e-12);
  RC_ASSERT(axis.share(range.low) <= axis.share(range.high));
  RC_ASSERT(axis.ticks().size() >= 2U && axis.ticks().size() <= 120U);
  double last = -INFINITY;
  for (const auto& tick : axis.ticks()) {
    RC_ASSERT(tick.value >= axis.low() && tick.value <= axis.high());
    RC_ASSERT(tick.value > last);
    last = tick.value;
  }
  const auto written = labels(axis);
  RC_ASSERT(written.size() >= 2U && written.size() <= 13U);
  auto sorted = written;
  std::sort(sorted.begin(), sorted.end());
  RC_ASSERT(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
}

RC_GTEST_PROP(AxisProperty, LinearHoldsItsRangeAndFewDifferentTicks, ()) {
  const double one = any_number(true);
  const double other = any_number(true);
  check_axis({std::min(one, other), std::max(one, other)}, Scale::kLinear);
}

RC_GTEST_PROP(AxisProperty, LogHoldsItsRangeAndFewDifferentTicks, ()) {
  const double one = any_number(false);
  const double other = any_number(false);
  check_axis({std::min(one, other), std::max(one, other)}, Scale::kLog);
}

RC_GTEST_PROP(AxisProperty, LabelsSayTheirTicksValue, ()) {
  const double one = any_number(false);
  const double other = any_number(false);
  const Axis axis({std::min(one, other), std::max(one, other)}, Scale::kLog);
  for (const auto& tick : axis.ticks()) {
    std::string digits;
    for (const char letter : tick.label) {
      if (static_cast<unsigned char>(letter) < 0x80) digits += letter;  // spaces in "60 000"
    }
    if (digits.empty()) continue;
    RC_ASSERT(std::abs(std::stod(digits) / tick.value - 1) < 1e-6);
  }
}

}  // namespace
}  // namespace sotto::report
