#include "sweep/sweep_summary.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "runs/declared_person.h"

namespace sotto::sweep {
namespace {

ConfigurationResult result_of(const SweepPlan& plan, const std::vector<SweptRun>& runs,
                              std::size_t configuration) {
  ConfigurationResult result;
  std::vector<double> accuracies;
  std::vector<double> epsilons;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    if (plan.configuration_of(run) != configuration) continue;
    result.failed += runs[run].outcome.status == RunStatus::kFailed ? 1 : 0;
    if (!runs[run].is_finished()) continue;
    ++result.finished;
    epsilons.push_back(runs[run].epsilon());
    result.largest_epsilon = std::max(result.largest_epsilon, epsilons.back());
    const auto accuracy = runs[run].accuracy();
    if (!accuracy) continue;
    accuracies.push_back(*accuracy);
    if (!result.best_run || *accuracy > *runs[*result.best_run].accuracy()) result.best_run = run;
  }
  result.accuracy = spread_of(accuracies);
  result.epsilon = spread_of(epsilons);
  return result;
}

bool is_private(const ConfigurationResult& result) { return std::isfinite(result.largest_epsilon); }

bool is_better(const ConfigurationResult& one, const ConfigurationResult& other) {
  if (is_private(one) != is_private(other)) return is_private(one);
  if (one.accuracy->mean != other.accuracy->mean) {
    return one.accuracy->mean > other.accuracy->mean;
  }
  return one.largest_epsilon < other.largest_epsilon;
}

std::optional<std::size_t> best_of(const std::vector<ConfigurationResult>& results) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].accuracy && (!best || is_better(results[i], results[*best]))) best = i;
  }
  return best;
}

std::vector<std::size_t> front_of(const std::vector<ConfigurationResult>& results) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].accuracy && is_private(results[i])) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (results[a].epsilon->mean != results[b].epsilon->mean) {
      return results[a].epsilon->mean < results[b].epsilon->mean;
    }
    return results[a].accuracy->mean > results[b].accuracy->mean;
  });
  std::vector<std::size_t> front;
  for (const std::size_t i : order) {
    const bool higher =
        front.empty() || results[i].accuracy->mean > results[front.back()].accuracy->mean;
    if (higher) front.push_back(i);
  }
  return front;
}

// All runs together are priced for the largest of their groups.
std::string person_limit_of(const std::vector<SweptRun>& runs) {
  runs::DeclaredPerson person;
  for (const auto& run : runs) {
    if (!run.record || !run.record->is_private()) continue;
    const auto declared = runs::declared_person(*run.record);
    if (person.column.empty()) person.column = declared.column;
    person.group_size = std::max(person.group_size, declared.group_size);
  }
  return runs::person_limit(person);
}

TuningCost tuning_of(const SweepPlan& plan, const SweepSummary& summary) {
  TunedRuns tuned;
  for (std::size_t run = 0; run < plan.runs(); ++run) {
    tuned.charges.push_back(summary.runs[run].charge);
    tuned.names.push_back(run_name(run));
  }
  tuned.repeats = plan.repeats();
  tuned.complete = summary.count(RunStatus::kPending) == 0;
  tuned.draw = plan.draw();
  tuned.epsilon_of_best = summary.epsilon_of_best();
  auto cost = cost_of_tuning(tuned);
  const bool bounded =
      cost.basis == TuningBasis::kComposition || cost.basis == TuningBasis::kRandomCount;
  if (bounded) cost.limits = person_limit_of(summary.runs);
  return cost;
}

}  // namespace

std::optional<Spread> spread_of(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  const auto count = static_cast<double>(values.size());
  Spread spread{std::accumulate(values.begin(), values.end(), 0.0) / count};
  if (values.size() == 1 || !std::isfinite(spread.mean)) return spread;
  double squares = 0;
  for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
  spread.deviation = std::sqrt(squares / (count - 1));
  return spread;
}

std::size_t SweepSummary::count(RunStatus status) const {
  return static_cast<std::size_t>(std::count_if(
      runs.begin(), runs.end(), [&](const SweptRun& run) { return run.outcome.status == status; }));
}

double SweepSummary::epsilon_of_best() const {
  return best ? configurations[*best].largest_epsilon : 0;
}

SweepSummary summarise(const SweepPlan& plan, const SweepFolder& folder) {
  SweepSummary summary;
  for (std::size_t run = 0; run < plan.runs(); ++run) {
    summary.runs.push_back(swept_run(folder.run(run), folder.read_outcome(run)));
  }
  for (std::size_t i = 0; i < plan.configurations().size(); ++i) {
    summary.configurations.push_back(result_of(plan, summary.runs, i));
  }
  summary.best = best_of(summary.configurations);
  summary.pareto = front_of(summary.configurations);
  summary.tuning = tuning_of(plan, summary);
  return summary;
}

}  // namespace sotto::sweep
