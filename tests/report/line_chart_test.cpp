#include "report/line_chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "report/png_picture.h"
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

LineChart logarithmic(Theme theme) {
  return {.title = "ε & δ",
          .x_label = "batch size",
          .y_label = "ε",
          .lines = {{.label = "pld", .xs = {1, 10, 100, 1000}, .ys = {0.1, 1, INFINITY, 10}},
                    {.label = "gdp", .xs = {1, 1000}, .ys = {0, 5}, .style = LineStyle::kDotted},
                    {.label = "runs", .xs = {20}, .ys = {2}, .style = LineStyle::kPoints}},
          .markers = {{.x = 10, .y = 1, .label = "the <best>", .line = 1}},
          .x_scale = Scale::kLog,
          .y_scale = Scale::kLog,
          .theme = theme};
}

TEST(LineChartTest, LogarithmicChartsHaveDecadesAndMarkers) {
  for (const Theme theme : {Theme::kLight, Theme::kDark}) {
    const auto picture = svg(logarithmic(theme));
    for (const char* part :
         {">0.1<", ">100<", ">1000<", ">the &lt;best&gt;<", "stroke-dasharray", "<circle"}) {
      EXPECT_THAT(picture, HasSubstr(part));
    }
    EXPECT_THAT(picture, Not(HasSubstr("nan")));
    EXPECT_THAT(picture, Not(HasSubstr("inf")));
    EXPECT_NO_THROW(png_from_svg(picture));  // so it is well-formed
  }
  EXPECT_NE(svg(logarithmic(Theme::kLight)), svg(logarithmic(Theme::kDark)));
}

TEST(LineChartTest, LinesMayLeaveAtTheTop) {
  LineChart chart{.lines = {{.xs = {0, 1, 3, 4}, .ys = {0, 10, 30, 1000}}}};
  chart.y_most = 20;
  const auto picture = svg(chart);
  EXPECT_THAT(picture, HasSubstr(">20<"));
  EXPECT_THAT(picture, Not(HasSubstr(">30<")));
  // At 2, half way from 10 to 30, which is the end of both axes.
  EXPECT_THAT(picture, HasSubstr("L936.00 "));
}

TEST(LineChartTest, LegendsGetRowsOfTheirOwn) {
  LineChart chart{.title = "t"};
  const auto height = [](const std::string& picture) {
    return std::stod(picture.substr(picture.find(" height=\"") + 9));
  };
  const double without = height(svg(chart));
  for (int i = 0; i < 12; ++i) {
    chart.lines.push_back({.label = "a label of some length", .xs = {0, 1}, .ys = {0, 1}});
  }
  EXPECT_GT(height(svg(chart)), without + 60);
  chart.lines.resize(1);
  EXPECT_LT(height(svg(chart)), without + 30);
}

TEST(LineChartTest, RefusesUnequalLengths) {
  EXPECT_THROW(svg(LineChart{"t", "", "x", "y", {{"a", {0, 1}, {1}}}}), InvalidArgument);
}

}  // namespace
}  // namespace sotto::report
