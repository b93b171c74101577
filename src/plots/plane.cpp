#include "plots/plane.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sotto::plots {
namespace {

std::vector<double> levels_for(const report::Grid& grid) {
  double low = std::numeric_limits<double>::infinity();
  double high = 0;
  for (const double epsilon : grid.values) {
    if (!std::isfinite(epsilon) || epsilon <= 0) continue;
    low = std::min(low, epsilon);
    high = std::max(high, epsilon);
  }
  return low < high ? report::round_levels(low, high) : std::vector<double>();
}

}  // namespace

Plane plane_of(const EpsilonPlot& plot, const Advance& advance) {
  Plane plane;
  plane.grid = {.xs = plot.x.places,
                .ys = plot.y->places,
                .values = {},
                .x_scale = plot.x.scale,
                .y_scale = plot.y->scale,
                .value_scale = report::Scale::kLog};
  for (const double y : plot.y->places) {
    const PlannedRun row = with_value(plot.y->quantity, plot.runs.front(), y);
    for (auto& point : curve_of(row, plot.x, advance).points) {
      plane.grid.values.push_back(point.cost.epsilon);
      plane.points.push_back(std::move(point));
    }
  }
  const auto levels = plot.contours.empty() ? levels_for(plane.grid) : plot.contours;
  for (const double level : levels) {
    plane.contours.push_back({level, report::contour_lines(plane.grid, level)});
  }
  return plane;
}

}  // namespace sotto::plots
