#include "cli/sweep_output.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cli/text_layout.h"
#include "cli/text_table.h"
#include "core/counted.h"
#include "sotto/accounting/statement.h"

namespace sotto::cli {
namespace {

using accounting::rounded_up;
using sweep::ConfigurationResult;
using sweep::RunStatus;
using sweep::SweepPlan;
using sweep::SweepSummary;
using Row = std::vector<std::string>;

constexpr std::size_t kMostRows = 30;

std::string accuracy_text(const ConfigurationResult& result) {
  if (!result.accuracy) return "-";
  char text[64];
  if (result.accuracy->deviation) {
    std::snprintf(text, sizeof text, "%.2f ± %.2f %%", 100 * result.accuracy->mean,
                  100 * *result.accuracy->deviation);
  } else {
    std::snprintf(text, sizeof text, "%.2f %%", 100 * result.accuracy->mean);
  }
  return text;
}

std::string runs_text(const ConfigurationResult& result) {
  std::string text = std::to_string(result.finished);
  if (result.failed > 0) text += " (" + std::to_string(result.failed) + " failed)";
  return text;
}

std::string mark_of(const SweepSummary& summary, std::size_t i) {
  if (summary.best == i) return "best";
  const auto& front = summary.pareto;
  return std::find(front.begin(), front.end(), i) != front.end() ? "front" : "";
}

Row row_of(const SweepPlan& plan, const SweepSummary& summary, std::size_t i) {
  const ConfigurationResult& result = summary.configurations[i];
  const auto used = used_flags(plan.configurations()[i]);
  Row row;
  for (const auto& name : plan.varying()) row.push_back(value_of(used, name).value_or("-"));
  row.push_back(accuracy_text(result));
  row.push_back(result.epsilon ? rounded_up(result.epsilon->mean) : "-");
  row.push_back(runs_text(result));
  row.push_back(mark_of(summary, i));
  return row;
}

// The most accurate first.
std::vector<std::size_t> ranking(const SweepSummary& summary) {
  std::vector<std::size_t> order(summary.configurations.size());
  std::iota(order.begin(), order.end(), 0);
  const auto accuracy = [&](std::size_t i) {
    const auto& spread = summary.configurations[i].accuracy;
    return spread ? spread->mean : -1;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return accuracy(a) > accuracy(b); });
  return order;
}

std::string table_text(const SweepPlan& plan, const SweepSummary& summary) {
  Row titles = plan.varying();
  titles.insert(titles.end(), {"accuracy", "ε", "runs", ""});
  TextTable table;
  table.add(titles);
  const auto order = ranking(summary);
  const std::size_t shown = std::min(order.size(), kMostRows);
  for (std::size_t i = 0; i < shown; ++i) table.add(row_of(plan, summary, order[i]));
  if (shown == order.size()) return table.text();
  return table.text() + "... and " + std::to_string(order.size() - shown) +
         " more in results.csv\n";
}

std::string best_text(const SweepPlan& plan, const SweepSummary& summary) {
  const ConfigurationResult& best = summary.configurations[*summary.best];
  std::string text = describe(used_flags(plan.configurations()[*summary.best])) + ": " +
                     accuracy_text(best) + " on test data";
  const auto& record = summary.runs[*best.best_run].record;
  if (std::isfinite(summary.epsilon_of_best())) {
    text += ", ε ≤ " + rounded_up(summary.epsilon_of_best()) + " for one run of it alone";
  } else if (record && !record->contradictions().empty()) {
    text += ", but its promise does not hold: results.csv says why";
  } else {
    text += ", without privacy";
  }
  return text + " (" + sweep::run_name(*best.best_run) + ").";
}

std::string tuning_text(const SweepSummary& summary) {
  switch (summary.tuning.basis) {
    case sweep::TuningBasis::kNothing:
      return "";
    case sweep::TuningBasis::kUnbounded:
      return "ε = ∞ for having chosen. ";
    default:
      return "ε ≤ " + rounded_up(summary.tuning.epsilon) + " for having chosen. ";
  }
}

}  // namespace

std::string sweep_text(const SweepPlan& plan, const SweepSummary& summary,
                       const sweep::SweepFolder& folder) {
  if (plan.runs() == 0) {
    return labelled_paragraph(
        "Result",
        "none: the number of runs was drawn, and it is 0. That belongs to the "
        "draw: nothing that depends on the data may be published, and drawing "
        "again in another folder costs as much as a second sweep.");
  }
  std::string text = table_text(plan, summary) + '\n';
  if (summary.best) text += labelled_paragraph("Best", best_text(plan, summary));
  text += labelled_paragraph("Tuning", tuning_text(summary) + summary.tuning.statement);
  if (!summary.tuning.limits.empty()) text += labelled_paragraph("Limits", summary.tuning.limits);
  const std::size_t failed = summary.count(RunStatus::kFailed);
  if (failed > 0) {
    text += labelled_paragraph(
        "Failed",
        counted(failed, "run") + "; results.csv says why, and the same command tries again.");
  }
  return text + labelled_paragraph("Files", folder.path().string() +
                                                "/: results.csv, sweep.json, "
                                                "accuracy-against-epsilon.svg, run-0001, ...");
}

}  // namespace sotto::cli
