#include "report/heat_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "report/colours.h"
#include "report/png_picture.h"
#include "sotto/core/error.h"

namespace sotto::report {
namespace {

using testing::HasSubstr;
using testing::Not;

HeatMap example() {
  HeatMap map{.title = "ε <over> a plane", .x_label = "b", .y_label = "σ", .value_label = "ε"};
  map.grid.value_scale = Scale::kLog;
  for (int i = 1; i <= 20; ++i) {
    map.grid.xs.push_back(i);
    map.grid.ys.push_back(i / 5.0);
  }
  for (const double y : map.grid.ys) {
    for (const double x : map.grid.xs) map.grid.values.push_back(x / y);
  }
  map.levels = {1, 10, 5000};
  return map;
}

TEST(HeatMapTest, HoldsEverything) {
  const auto picture = svg(example());
  for (const char* part :
       {"ε &lt;over&gt; a plane", ">b<", ">σ<", ">ε<", ">1<", ">10<", "fill=\"#", "</svg>"}) {
    EXPECT_THAT(picture, HasSubstr(part));
  }
  EXPECT_THAT(picture, Not(HasSubstr("5000")));  // no place has this value
  EXPECT_NO_THROW(png_from_svg(picture));        // so it is well-formed
}

TEST(HeatMapTest, SurvivesHolesAndFlatness) {
  HeatMap holes = example();
  for (std::size_t i = 0; i < holes.grid.values.size(); i += 3) holes.grid.values[i] = INFINITY;
  EXPECT_THAT(svg(holes), Not(HasSubstr("nan")));
  HeatMap nothing = example();
  for (auto& value : nothing.grid.values) value = INFINITY;
  EXPECT_THAT(svg(nothing), Not(HasSubstr("nan")));
  HeatMap flat = example();
  for (auto& value : flat.grid.values) value = 2;
  EXPECT_THAT(svg(flat), Not(HasSubstr("nan")));
}

TEST(HeatMapTest, ACellWithAnInfiniteCornerHasNoColour) {
  const std::string nothing = "<g shape-rendering=\"crispEdges\">\n</g>";
  HeatMap map{.grid = {.xs = {0, 1}, .ys = {0, 1}, .values = {1, 2, 3, 4}}};
  EXPECT_THAT(svg(map), Not(HasSubstr(nothing)));
  for (auto& value : map.grid.values) {
    const double before = std::exchange(value, INFINITY);
    EXPECT_THAT(svg(map), HasSubstr(nothing));
    value = before;
  }
}

TEST(HeatMapTest, RefusesWhatIsNoGrid) {
  HeatMap map = example();
  map.grid.values.pop_back();
  EXPECT_THROW(svg(map), InvalidArgument);
}

double lightness(const std::string& colour) {
  const auto part = [&](int i) { return std::stoi(colour.substr(1 + 2 * i, 2), nullptr, 16); };
  return 0.2126 * part(0) + 0.7152 * part(1) + 0.0722 * part(2);
}

TEST(HeatColourTest, ChangesItsLightnessSteadily) {
  for (int i = 0; i < 50; ++i) {
    EXPECT_GT(lightness(heat_colour(Theme::kLight, i / 50.0)),
              lightness(heat_colour(Theme::kLight, (i + 1) / 50.0)));
    EXPECT_LT(lightness(heat_colour(Theme::kDark, i / 50.0)),
              lightness(heat_colour(Theme::kDark, (i + 1) / 50.0)));
  }
  EXPECT_EQ(heat_colour(Theme::kLight, 7), heat_colour(Theme::kLight, 1));
}

}  // namespace
}  // namespace sotto::report
