#include <array>
#include <cmath>
#include <cstdio>

#include "core/percentage.h"
#include "report/scatter_chart.h"
#include "sotto/accounting/statement.h"
#include "sweep/result_files.h"

namespace sotto::sweep {
namespace {

using report::ScatterPoint;

ScatterPoint point_of(const ConfigurationResult& result) {
  const double deviation = result.accuracy->deviation.value_or(0);
  ScatterPoint point;
  point.x = result.epsilon->mean;
  point.y = result.accuracy->mean;
  point.low = point.y - deviation;
  point.high = point.y + deviation;
  return point;
}

std::string subtitle(const SweepSummary& summary) {
  const TuningCost& tuning = summary.tuning;
  if (tuning.basis == TuningBasis::kNothing) return "No run has used the training data yet.";
  const std::string price = tuning.basis == TuningBasis::kUnbounded
                                ? "has no finite ε"
                                : "costs ε ≤ " + accounting::rounded_up(tuning.epsilon);
  return "ε of single runs. Having chosen among them " + price + " (" +
         std::string(to_string(tuning.basis)) + ").";
}

}  // namespace

std::string summary_picture(const SweepPlan& plan, const SweepSummary& summary) {
  report::ScatterChart chart;
  chart.title = "Accuracy against ε";
  chart.subtitle = subtitle(summary);
  chart.x_label = "ε of one run";
  chart.y_label = "accuracy on test data";
  chart.point_legend = plan.repeats() > 1 ? "configuration: mean and standard deviation of " +
                                                std::to_string(plan.repeats()) + " runs"
                                          : "configuration";
  chart.front_legend = "Pareto front: no other is more accurate for less ε";
  chart.percent = true;
  for (std::size_t i = 0; i < summary.configurations.size(); ++i) {
    const ConfigurationResult& result = summary.configurations[i];
    if (!result.accuracy) continue;
    if (!std::isfinite(result.largest_epsilon)) {
      chart.references.push_back(
          {result.accuracy->mean, "without privacy: " + percentage(result.accuracy->mean, 1)});
      continue;
    }
    chart.points.push_back(point_of(result));
    if (summary.best == i) chart.points.back().label = "best";
  }
  for (const std::size_t i : summary.pareto) {
    chart.front.push_back(point_of(summary.configurations[i]));
  }
  return svg(chart);
}

}  // namespace sotto::sweep
