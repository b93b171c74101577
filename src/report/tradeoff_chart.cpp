#include "report/tradeoff_chart.h"

#include <cmath>

#include "core/percentage.h"

namespace sotto::report {
namespace {

using accounting::TradeoffCurve;

constexpr double kSmallestRate = 1e-4;
constexpr int kPoints = 160;

// 1e-4 to 1 in equal steps of the logarithm.
std::vector<double> rates() {
  std::vector<double> all;
  for (int i = 0; i <= kPoints; ++i) {
    all.push_back(std::pow(kSmallestRate, 1 - static_cast<double>(i) / kPoints));
  }
  return all;
}

Line line_of(const TradeoffCurve& curve, const std::string& label, LineStyle style) {
  Line line{label, rates(), {}, style};
  for (const double rate : line.xs) line.ys.push_back(curve.true_positive_rate(rate));
  return line;
}

}  // namespace

LineChart tradeoff_chart(const TradeoffCurve& curve, const std::optional<TradeoffCurve>& pair,
                         Theme theme) {
  LineChart chart{.title = "Who can be caught",
                  .subtitle =
                      "No membership test catches a larger share of the members than this, "
                      "whatever share of outsiders it wrongly accuses.",
                  .x_label = "outsiders wrongly accused",
                  .y_label = "members caught, at most",
                  .x_scale = Scale::kLog,
                  .y_scale = Scale::kLog,
                  .x_percent = true,
                  .y_percent = true,
                  .theme = theme};
  chart.lines.push_back(line_of(curve, pair ? "this run" : "this ε and δ", LineStyle::kSolid));
  if (pair) chart.lines.push_back(line_of(*pair, "its ε and δ alone", LineStyle::kDashed));
  chart.lines.push_back({"guessing", {kSmallestRate, 1}, {kSmallestRate, 1}, LineStyle::kDotted});
  for (const double rate : {0.001, 0.01, 0.1}) {
    const double caught = curve.true_positive_rate(rate);
    chart.markers.push_back(
        {rate, caught, short_percentage(less_than_certain(caught), 3, Rounding::kUp), 0});
  }
  return chart;
}

}  // namespace sotto::report
