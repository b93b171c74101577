#include "plots/pictures.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "report/heat_map.h"
#include "report/line_chart.h"
#include "report/number_text.h"

namespace sotto::plots {
namespace {

using report::Scale;

constexpr double kFactorForLog = 30;
constexpr double kFactorShown = 100;

bool is_approximation(const Curve& curve) {
  return std::any_of(curve.points.begin(), curve.points.end(),
                     [](const Point& point) { return point.cost.is_approximation; });
}

// Logarithmic where most of the curve would otherwise lie on the axis.
Scale scale_for(const std::vector<Curve>& curves) {
  double low = std::numeric_limits<double>::infinity();
  double high = 0;
  for (const auto& curve : curves) {
    for (const auto& point : curve.points) {
      const double epsilon = point.cost.epsilon;
      if (!std::isfinite(epsilon) || epsilon <= 0) continue;
      low = std::min(low, epsilon);
      high = std::max(high, epsilon);
    }
  }
  return high > kFactorForLog * low ? Scale::kLog : Scale::kLinear;
}

// Far from the best order ε grows beyond all use; the picture is of what lies around it.
std::optional<double> most_shown(const std::vector<Curve>& curves, const Axis& axis) {
  double most = 0;
  for (const auto& curve : curves) {
    const double best = curve.optimum ? curve.optimum->epsilon : 0;
    if (std::isfinite(best)) most = std::max(most, kFactorShown * best);
  }
  return axis.chosen || most == 0 ? std::nullopt : std::optional(most);
}

report::Line line_of(const Curve& curve) {
  report::Line line{.label = curve.name};
  if (is_approximation(curve)) line.style = report::LineStyle::kDotted;
  for (const auto& point : curve.points) {
    line.xs.push_back(point.x);
    line.ys.push_back(point.cost.epsilon);
  }
  return line;
}

}  // namespace

std::string optimum_text(const accounting::RdpEpsilon& optimum) {
  return "α = " + report::number_text(optimum.order) + ", ε ≤ " +
         accounting::rounded_up(optimum.epsilon);
}

std::string curves_picture(const EpsilonPlot& plot, const std::vector<Curve>& curves) {
  const bool any_approximation = std::any_of(curves.begin(), curves.end(), is_approximation);
  const QuantityTraits& traits = traits_of(plot.x.quantity);
  report::LineChart chart{.title = std::string("ε against ") + traits.title,
                          .subtitle = name_curves(plot.runs, plot.axes()).common,
                          .x_label = traits.label(),
                          .y_label = any_approximation ? "ε" : "ε (upper bound)",
                          .x_scale = plot.x.scale,
                          .y_scale = plot.epsilon_scale.value_or(scale_for(curves)),
                          .y_most = most_shown(curves, plot.x),
                          .theme = plot.theme};
  for (const auto& curve : curves) {
    if (curve.optimum) {
      chart.markers.push_back({curve.optimum->order, curve.optimum->epsilon,
                               optimum_text(*curve.optimum), chart.lines.size()});
    }
    chart.lines.push_back(line_of(curve));
  }
  return svg(chart);
}

std::string plane_picture(const EpsilonPlot& plot, const Plane& plane) {
  report::HeatMap map{.title = "ε over batch size and noise multiplier",
                      .subtitle = name_curves(plot.runs, plot.axes()).common,
                      .x_label = traits_of(plot.x.quantity).label(),
                      .y_label = traits_of(plot.y->quantity).title,
                      .value_label = "ε",
                      .grid = plane.grid,
                      .levels = {},
                      .theme = plot.theme};
  for (const auto& contour : plane.contours) map.levels.push_back(contour.epsilon);
  return svg(map);
}

}  // namespace sotto::plots
