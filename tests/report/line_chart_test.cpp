#include "sotto/report/line_chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sotto/core/error.h"

namespace sotto::report {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(LineChartTest, DrawsEveryLineWithinItsAxes) {
  const auto picture =
      svg(LineChart{"Losses",
                    "of a run",
                    "step",
                    "loss",
                    {{"critic", {0, 50, 100}, {-2, 3, 1}}, {"generator <G>", {0, 100}, {1, 1}}}});
  EXPECT_THAT(picture, HasSubstr("<svg"));
  EXPECT_THAT(picture, HasSubstr("Losses"));
  EXPECT_THAT(picture, HasSubstr("generator &lt;G&gt;"));
  EXPECT_THAT(picture, HasSubstr("M76.00"));   // the first x is the axis' start
  EXPECT_THAT(picture, HasSubstr("L936.00"));  // the last its end
  EXPECT_THAT(picture, Not(HasSubstr("nan")));
}

TEST(LineChartTest, GapsAndSinglePointsAreDrawn) {
  const auto picture = svg(LineChart{"t", "", "x", "y", {{"a", {0, 1, 2, 3}, {1, NAN, 2, 2}}}});
  EXPECT_THAT(picture, Not(HasSubstr("nan")));
  EXPECT_THAT(svg(LineChart{"t", "", "x", "y", {{"a", {5}, {7}}}}), Not(HasSubstr("nan")));
  EXPECT_THAT(svg(LineChart{"t", "", "x", "y", {}}), HasSubstr("</svg>"));
}

TEST(LineChartTest, RefusesUnequalLengths) {
  EXPECT_THROW(svg(LineChart{"t", "", "x", "y", {{"a", {0, 1}, {1}}}}), InvalidArgument);
}

}  // namespace
}  // namespace sotto::report
