#include "report/html_page.h"
#include "report/report_sections.h"
#include "report/run_text.h"
#include "runs/json_file.h"

namespace sotto::report {
namespace {

struct Metric {
  const char* key;
  const char* label;
};

struct Curve {
  const char* title;
  const char* y_label;
  std::vector<Metric> metrics;
};

const char* time_axis(const runs::RunRecord& run) { return run.is_generator() ? "step" : "epoch"; }

std::vector<Curve> curves_of(const runs::RunRecord& run) {
  const Curve epsilon{"Privacy spent", "ε", {{"epsilon", "ε at the run's δ"}}};
  if (run.is_generator()) {
    return {{"Losses",
             "loss",
             {{"distance", "distance of embeddings"},
              {"generator_loss", "generator"},
              {"critic_loss", "critic"}}},
            epsilon};
  }
  return {
      {"Accuracy",
       "share of records",
       {{"test_accuracy", "test accuracy"}, {"held_out_accuracy", "accuracy on held-out records"}}},
      {"Losses",
       "loss",
       {{"test_loss", "test loss"},
        {"held_out_loss", "loss on held-out records"},
        {"train_loss", "training loss"}}},
      epsilon};
}

std::string label_of(const runs::RunRecord& run, const Metric& metric) {
  const bool marked = run.is_private() && run.is_uncovered(metric.key);
  return std::string(metric.label) + (marked ? " (NOT covered by ε)" : "");
}

// "test accuracy: 0.7295 at epoch 1, 0.8408 at epoch 10"
std::string in_words(const Line& line, const std::string& metric, const std::string& axis) {
  return line.label + ": " + metric_text(metric, line.ys.front()) + " at " + axis + " " +
         digits(line.xs.front(), 9) + ", " + metric_text(metric, line.ys.back()) + " at " + axis +
         " " + digits(line.xs.back(), 9);
}

Html figure_of(const runs::RunRecord& run, const Curve& curve) {
  const std::string axis = time_axis(run);
  LineChart chart{curve.title, "", axis, curve.y_label, {}};
  std::string words;
  bool uncovered = false;
  for (const auto& metric : curve.metrics) {
    auto series = run.series(axis, metric.key);
    Line line{label_of(run, metric), std::move(series.xs), std::move(series.ys)};
    if (line.xs.empty()) continue;
    words += (words.empty() ? "" : "; ") + in_words(line, metric.key, axis);
    uncovered |= run.is_private() && run.is_uncovered(metric.key);
    chart.lines.push_back(std::move(line));
  }
  if (chart.lines.empty()) return {};
  const std::string warning =
      uncovered ? " What is marked describes private records without noise: do not share it with "
                  "anyone who was promised the ε of this run."
                : "";
  return chart_figure(svg(chart), std::string(curve.title) + ". " + words, words + "." + warning);
}

Html metrics_table(const runs::RunRecord& run) {
  const std::string axis = time_axis(run);
  std::vector<Metric> metrics;
  for (const auto& curve : curves_of(run)) {
    for (const auto& metric : curve.metrics) {
      if (!run.series(axis, metric.key).xs.empty()) metrics.push_back(metric);
    }
  }
  Table table{.caption = "The numbers behind the curves", .head = {axis}};
  for (const auto& metric : metrics) table.head.emplace_back(label_of(run, metric));
  for (const auto& line : run.metrics()) {
    const auto at = runs::number_in(line, axis);
    if (!at) continue;
    auto& row = table.rows.emplace_back(std::vector<Cell>{{digits(*at, 9)}});
    for (const auto& metric : metrics) {
      const auto value = runs::number_in(line, metric.key);
      row.push_back({value ? metric_text(metric.key, *value) : "–"});
    }
  }
  return element("details", element("summary", "All numbers") + report::table(table));
}

}  // namespace

Html curves_section(const runs::RunRecord& run) {
  Html figures;
  for (const auto& curve : curves_of(run)) figures += figure_of(run, curve);
  if (figures.empty()) {
    return section("Over time", element("p",
                                        "There is no metrics.jsonl beside the run, or it holds "
                                        "nothing that can be drawn."));
  }
  if (!run.is_proved()) {
    figures +=
        element("p", run.is_private() ? "No ε is drawn: none is proved for this run."
                                      : "No ε is drawn: none holds for a run that is not private.");
  }
  return section("Over time", figures + metrics_table(run));
}

}  // namespace sotto::report
