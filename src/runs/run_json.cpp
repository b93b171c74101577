#include "runs/run_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/json_number.h"

namespace sotto::runs {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson spender_json(const Spender& spender) {
  const bool bounded = std::isfinite(spender.epsilon);
  OrderedJson json;
  json["path"] = spender.path.string();
  json["by"] = to_string(spender.kind);
  json["state"] = to_string(spender.state);
  json["dataset"] = spender.data.name.empty() ? OrderedJson() : OrderedJson(spender.data.name);
  json["epsilon"] = json_number(spender.epsilon);
  json["delta"] = bounded ? OrderedJson(spender.delta) : OrderedJson();
  json["steps"] = spender.steps;
  json["queries"] = spender.queries;
  json["one_of_several"] = spender.one_of_several;
  if (!spender.problem.empty()) json["problem"] = spender.problem;
  return json;
}

}  // namespace

OrderedJson run_json(const RunRecord& run) {
  OrderedJson json;
  json["run"] = run.folder().string();
  json["finished"] = run.is_finished();
  json["dataset"] = run.dataset();
  json["model"] = run.model();
  json["method"] = run.method();
  json["private"] = run.is_private();
  json["epsilon"] = json_number(run.epsilon());
  json["delta"] = json_number(run.delta());
  const auto plan = run.plan();
  json["batch_size"] = plan ? OrderedJson(plan->batch_size()) : OrderedJson();
  json["noise_multiplier"] = plan ? OrderedJson(plan->options().noise_multiplier) : OrderedJson();
  json["steps"] = run.steps();
  json["epochs"] = run.epochs() ? OrderedJson(*run.epochs()) : OrderedJson();
  json["accuracy"] = json_number(run.accuracy());
  json["seconds"] = json_number(run.seconds());
  json["contradictions"] = run.contradictions();
  json["altered_files"] = run.altered();
  if (const auto asked = cost_with_queries(run)) {
    json["with_queries"] = {{"queries", asked->queries},
                            {"epsilon", json_number(asked->cost.epsilon)},
                            {"delta", asked->cost.delta},
                            {"sentence", asked->sentence}};
  }
  return json;
}

OrderedJson combined_json(const CombinedCost& combined, const std::vector<RunRecord>& runs) {
  OrderedJson json;
  json["dataset"] = combined.dataset;
  json["same_data_by"] = combined.same_by;
  for (const auto place : combined.runs) json["runs"].push_back(runs[place].folder().string());
  const bool priced = combined.cost.has_value();
  json["epsilon"] = priced ? json_number(combined.cost->epsilon) : OrderedJson();
  json["delta"] = priced && std::isfinite(combined.cost->epsilon)
                      ? OrderedJson(combined.cost->delta)
                      : OrderedJson();
  json["sentence"] = combined.sentence;
  return json;
}

OrderedJson spenders_json(const std::vector<Spender>& spenders) {
  OrderedJson list = OrderedJson::array();
  for (const auto& spender : spenders) list.push_back(spender_json(spender));
  return list;
}

OrderedJson spend_json(const DataSpend& spend) {
  const bool priced = spend.cost.has_value();
  OrderedJson json;
  json["dataset"] = spend.dataset.empty() ? OrderedJson() : OrderedJson(spend.dataset);
  json["same_data_by"] = spend.same_by.empty() ? OrderedJson() : OrderedJson(spend.same_by);
  json["epsilon"] = priced ? json_number(spend.cost->epsilon) : OrderedJson();
  json["delta"] =
      priced && std::isfinite(spend.cost->epsilon) ? OrderedJson(spend.cost->delta) : OrderedJson();
  json["sentence"] = spend.sentence;
  json["spent_by"] = spenders_json(spend.spenders);
  return json;
}

}  // namespace sotto::runs
