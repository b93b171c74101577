#include "plots/simulation_picture.h"

#include "core/counted.h"
#include "report/chart.h"

namespace sotto::plots {
namespace {

report::Point point_at(std::size_t position, const rappor::SimulatedString& string) {
  return {static_cast<double>(position), string.estimate, string.low, string.high};
}

}  // namespace

std::string simulation_picture(const rappor::Simulation& simulation,
                               const rappor::SimulationOptions& options,
                               const std::string& subtitle) {
  report::Chart chart;
  chart.title = "RAPPOR: " + std::string(to_string(options.distribution)) + ", " +
                counted(options.reports, "report");
  chart.subtitle = subtitle;
  chart.x_label = options.basic ? "value" : "string, by true rank; then those that nobody has";
  chart.y_label = "frequency";
  chart.bars.label = "true frequency";
  report::Points found{"found, with its interval", {}};
  report::Points others{options.basic ? "not significant" : "false positive", {}};
  for (std::size_t i = 0; i < simulation.strings.size(); ++i) {
    const auto& string = simulation.strings[i];
    chart.names.push_back(string.name);
    chart.bars.heights.push_back(string.true_frequency);
    const bool real = string.true_frequency > 0;
    if (string.found && (real || options.basic)) found.points.push_back(point_at(i, string));
    const bool other = options.basic ? string.fitted && !string.found : string.found && !real;
    if (other) others.points.push_back(point_at(i, string));
  }
  chart.points = {std::move(found), std::move(others)};
  return report::svg(chart, /*percent=*/true);
}

}  // namespace sotto::plots
