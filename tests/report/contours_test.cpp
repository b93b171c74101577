#include "report/contours.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sotto/core/error.h"

namespace sotto::report {
namespace {

// places × places over [-2, 2]².
template <typename Function>
Grid sampled(std::size_t places, Function function) {
  Grid grid;
  for (std::size_t i = 0; i < places; ++i) {
    const double place = -2 + 4 * static_cast<double>(i) / static_cast<double>(places - 1);
    grid.xs.push_back(place);
    grid.ys.push_back(place);
  }
  for (const double y : grid.ys) {
    for (const double x : grid.xs) grid.values.push_back(function(x, y));
  }
  return grid;
}

TEST(ContoursTest, OfAPlaneAreExact) {
  const auto lines = contour_lines(sampled(9, [](double x, double y) { return x + 2 * y; }), 0.7);
  ASSERT_EQ(lines.size(), 1U);
  for (const auto& [x, y] : lines[0]) EXPECT_NEAR(x + 2 * y, 0.7, 1e-12);
  EXPECT_EQ(std::abs(lines[0].front().x), 2);  // from one side to the other
  EXPECT_EQ(std::abs(lines[0].back().x), 2);
}

TEST(ContoursTest, OfAConeAreClosedCircles) {
  const auto lines =
      contour_lines(sampled(81, [](double x, double y) { return std::hypot(x, y); }), 1.3);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].front().x, lines[0].back().x);
  EXPECT_EQ(lines[0].front().y, lines[0].back().y);
  for (const auto& [x, y] : lines[0]) EXPECT_NEAR(std::hypot(x, y), 1.3, 1e-3);
}

TEST(ContoursTest, FollowTheScales) {
  // y = 3 x² is a straight line where both axes are logarithmic, and log(value) = log y - 2 log x.
  Grid grid{.xs = {1, 10, 100},
            .ys = {1, 100, 10000, 1e6},
            .values = {},
            .x_scale = Scale::kLog,
            .y_scale = Scale::kLog,
            .value_scale = Scale::kLog};
  for (const double y : grid.ys) {
    for (const double x : grid.xs) grid.values.push_back(y / (x * x));
  }
  const auto lines = contour_lines(grid, 3);
  ASSERT_EQ(lines.size(), 1U);
  for (const auto& [x, y] : lines[0]) EXPECT_NEAR(y / (3 * x * x), 1, 1e-12);
}

TEST(ContoursTest, SaddlesAreCutAsTheBilinearSurfaceIs) {
  // x·y: level 0.1 has a branch in each of two opposite quadrants, level -0.1 in the others.
  const Grid saddle{.xs = {-1, 1}, .ys = {-1, 1}, .values = {1, -1, -1, 1}};
  for (const double level : {0.1, -0.1}) {
    const auto lines = contour_lines(saddle, level);
    ASSERT_EQ(lines.size(), 2U);
    for (const auto& line : lines) {
      ASSERT_EQ(line.size(), 2U);
      const double middle_x = (line[0].x + line[1].x) / 2;
      const double middle_y = (line[0].y + line[1].y) / 2;
      EXPECT_GT(middle_x * middle_y * level, 0);
    }
  }
}

TEST(ContoursTest, LeaveHolesAlone) {
  auto grid = sampled(9, [](double x, double y) { return x + y; });
  grid.values[4 * 9 + 4] = INFINITY;  // on the line's way
  const auto lines = contour_lines(grid, 0.1);
  EXPECT_EQ(lines.size(), 2U);
  for (const auto& line : lines) {
    for (const auto& [x, y] : line) EXPECT_NEAR(x + y, 0.1, 1e-12);
  }
  EXPECT_TRUE(contour_lines(grid, 100).empty());
}

TEST(ContoursTest, RefuseWhatIsNoGrid) {
  EXPECT_THROW(contour_lines({.xs = {1}, .ys = {1, 2}, .values = {1, 2}}, 1), InvalidArgument);
  EXPECT_THROW(contour_lines({.xs = {2, 1}, .ys = {1, 2}, .values = {1, 2, 3, 4}}, 1),
               InvalidArgument);
  EXPECT_THROW(contour_lines({.xs = {1, 2}, .ys = {1, 2}, .values = {1, 2, 3}}, 1),
               InvalidArgument);
  const Grid log{.xs = {1, 2}, .ys = {1, 2}, .values = {1, 2, 3, 4}, .value_scale = Scale::kLog};
  EXPECT_THROW(contour_lines(log, 0), InvalidArgument);
}

TEST(RoundLevelsTest, AreRoundFewAndInside) {
  EXPECT_EQ(round_levels(0.9, 12), (std::vector<double>{1, 2, 3, 5, 8, 10}));
  EXPECT_EQ(round_levels(0.15, 2.5), (std::vector<double>{0.2, 0.3, 0.5, 0.8, 1, 2}));
  EXPECT_TRUE(round_levels(1.1, 1.9).empty());
  const auto many = round_levels(1e-10, 1e10);
  EXPECT_LE(many.size(), 12U);
  EXPECT_GE(many.size(), 6U);
}

}  // namespace
}  // namespace sotto::report
