#include "core/atomic_file.h"
#include "core/json_number.h"
#include "sweep/result_files.h"

namespace sotto::sweep {
namespace {

using Json = nlohmann::ordered_json;

Json spread_json(const std::optional<Spread>& spread) {
  if (!spread) return nullptr;
  return {{"mean", json_number(spread->mean)},
          {"standard_deviation", json_number(spread->deviation)}};
}

// Null where a run has no use for a flag.
Json flags_json(const Configuration& configuration) {
  const auto used = used_flags(configuration);
  Json json = Json::object();
  for (const auto& setting : configuration) {
    const auto value = value_of(used, setting.name);
    json[setting.name] = value ? Json(*value) : Json(nullptr);
  }
  return json;
}

Json configuration_json(const SweepPlan& plan, const SweepSummary& summary, std::size_t i) {
  const ConfigurationResult& result = summary.configurations[i];
  return {{"configuration", i + 1},
          {"flags", flags_json(plan.configurations()[i])},
          {"finished", result.finished},
          {"failed", result.failed},
          {"accuracy", spread_json(result.accuracy)},
          {"epsilon", spread_json(result.epsilon)},
          {"best_run", result.best_run ? Json(run_name(*result.best_run)) : Json(nullptr)}};
}

Json run_json(const SweepPlan& plan, const SweepSummary& summary, std::size_t run) {
  const SweptRun& one = summary.runs[run];
  Json json = {{"run", run_name(run)},
               {"configuration", plan.configuration_of(run) + 1},
               {"repeat", plan.repeat_of(run) + 1},
               {"status", to_string(one.outcome.status)},
               {"accuracy", json_number(one.accuracy())},
               {"loss", json_number(one.loss())},
               {"epsilon", json_number(one.epsilon())},
               {"delta", json_number(one.delta())},
               {"seconds", one.seconds()},
               {"peak_memory_bytes", one.outcome.peak_memory}};
  if (!one.outcome.message.empty()) json["message"] = one.outcome.message;
  return json;
}

Json tuning_json(const TuningCost& tuning) {
  return {{"basis", to_string(tuning.basis)},
          {"theorem", tuning.theorem},
          {"adjacency", tuning.adjacency},
          {"epsilon_of_all_runs", json_number(tuning.epsilon_of_all)},
          {"statement", tuning.statement},
          {"limits", tuning.limits}};
}

}  // namespace

Json summary_json(const SweepPlan& plan, const SweepSummary& summary, const SweepFolder& folder) {
  Json json;
  json["planned"] = plan.runs();
  json["finished"] = summary.count(RunStatus::kFinished);
  json["failed"] = summary.count(RunStatus::kFailed);
  json["pending"] = summary.count(RunStatus::kPending);
  json["best"] = summary.best ? configuration_json(plan, summary, *summary.best) : Json(nullptr);
  json["epsilon_of_best"] = summary.best ? json_number(summary.epsilon_of_best()) : Json(nullptr);
  json["epsilon_of_tuning"] = json_number(summary.tuning.epsilon);
  json["delta"] = json_number(summary.tuning.delta);
  json["tuning"] = tuning_json(summary.tuning);
  json["pareto"] = Json::array();
  for (const std::size_t i : summary.pareto) json["pareto"].push_back(i + 1);
  json["configurations"] = Json::array();
  for (std::size_t i = 0; i < summary.configurations.size(); ++i) {
    json["configurations"].push_back(configuration_json(plan, summary, i));
  }
  json["runs"] = Json::array();
  for (std::size_t run = 0; run < plan.runs(); ++run) {
    json["runs"].push_back(run_json(plan, summary, run));
  }
  json["not_covered_by_epsilon"] = {"accuracy", "loss"};
  json["output"] = folder.path().string();
  return json;
}

void write_results(const SweepPlan& plan, const SweepSummary& summary, const SweepFolder& folder) {
  write_file_atomically(folder.results(), results_csv(plan, summary));
  write_file_atomically(folder.picture(), summary_picture(plan, summary));
  write_file_atomically(folder.summary(), summary_json(plan, summary, folder).dump(2) + "\n");
}

}  // namespace sotto::sweep
