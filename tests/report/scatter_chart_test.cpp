#include "report/scatter_chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "sotto/core/error.h"

namespace sotto::report {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

ScatterChart two_points() {
  ScatterChart chart;
  chart.title = "a < b";
  chart.point_legend = "points";
  chart.front_legend = "front";
  chart.percent = true;
  chart.points = {{1, 0.5, 0.4, 0.6}, {2, 0.7, 0.7, 0.7, "best"}};
  chart.front = {chart.points[0], chart.points[1]};
  return chart;
}

TEST(ScatterChart, DrawsPointsBarsFrontAndMark) {
  const std::string picture = svg(two_points());
  EXPECT_EQ(count(picture, "<circle"), 4U);  // two points, one ring, one in the legend
  EXPECT_EQ(count(picture, "stroke-opacity=\"0.5\""), 3U);  // one bar with its two ends
  EXPECT_EQ(count(picture, "<path"), 1U);
  EXPECT_THAT(picture, HasSubstr("a &lt; b"));
  EXPECT_THAT(picture, HasSubstr(">best</text>"));
  EXPECT_THAT(picture, HasSubstr("60 %</text>"));
  EXPECT_THAT(picture, testing::EndsWith("</svg>\n"));
}

TEST(ScatterChart, ShowsReferencesAndTakesFewPoints) {
  ScatterChart chart = two_points();
  chart.references.push_back({0.9, "without privacy"});
  EXPECT_THAT(svg(chart), HasSubstr("without privacy"));
  chart.points.resize(1);
  chart.front.clear();
  chart.references.clear();
  EXPECT_THAT(svg(chart), Not(HasSubstr("<path")));
  chart.points.clear();
  EXPECT_THAT(svg(chart), HasSubstr("</svg>"));
}

TEST(ScatterChart, RefusesWhatHasNoPlace) {
  ScatterChart chart = two_points();
  chart.points[0].x = std::numeric_limits<double>::infinity();
  EXPECT_THROW(svg(chart), InvalidArgument);
}

}  // namespace
}  // namespace sotto::report
