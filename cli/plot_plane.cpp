#include "cli/plot_plane.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sotto::cli {
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

PlotPlane plot_plane(const PlotRequest& request, const Advance& advance) {
  PlotPlane plane;
  plane.grid = {.xs = request.x.places,
                .ys = request.y->places,
                .values = {},
                .x_scale = request.x.scale,
                .y_scale = request.y->scale,
                .value_scale = report::Scale::kLog};
  for (const double y : request.y->places) {
    const PlannedRun row = with_value(request.y->quantity, request.runs.front(), y);
    for (auto& point : plot_curve(row, request.x, advance).points) {
      plane.grid.values.push_back(point.cost.epsilon);
      plane.points.push_back(std::move(point));
    }
  }
  const auto levels = request.contours.empty() ? levels_for(plane.grid) : request.contours;
  for (const double level : levels) {
    plane.contours.push_back({level, report::contour_lines(plane.grid, level)});
  }
  return plane;
}

}  // namespace sotto::cli
