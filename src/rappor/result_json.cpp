#include "rappor/result_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/json_number.h"
#include "rappor/params_text.h"
#include "rappor/share.h"

namespace sotto::rappor {
namespace {

using Json = nlohmann::ordered_json;

Json estimate_json(const Estimate& estimate, const std::string& name, double reports) {
  return {{"string", name},
          {"estimate", estimate.frequency * reports},
          {"proportion", estimate.frequency},
          {"standard_error", estimate.standard_error},
          {"low", possible_share(estimate.low)},
          {"high", possible_share(estimate.high)},
          {"p_value", estimate.p_value},
          {"found", estimate.found}};
}

}  // namespace

Json decoding_json(const Decoding& decoding, const CandidateMap& map, bool all) {
  Json strings = Json::array();
  const auto reports = static_cast<double>(decoding.reports);
  for (const auto& estimate : decoding.estimates) {
    if (!all && !estimate.found) continue;
    strings.push_back(estimate_json(estimate, map.name(estimate.candidate), reports));
  }
  Json indistinguishable = Json::array();
  for (const auto candidate : decoding.indistinguishable) {
    indistinguishable.push_back(map.name(candidate));
  }
  return {{"reports", decoding.reports},
          {"candidates", decoding.candidates},
          {"found", decoding.found},
          {"unknown_mass", decoding.unknown_mass},
          {"unknown_mass_error", decoding.unknown_mass_error},
          {"detection_limit", decoding.detection_limit},
          {"dispersion", decoding.dispersion},
          {"degrees_of_freedom", decoding.degrees_of_freedom},
          {"indistinguishable", indistinguishable},
          {"strings", strings}};
}

Json simulation_json(const Simulation& simulation, const SimulationOptions& options) {
  const auto is_frequent = [](const auto& string) { return string.true_frequency > 0.01; };
  const auto& strings = simulation.strings;
  const auto above = std::count_if(strings.begin(), strings.end(), is_frequent);
  const auto above_found = std::count_if(strings.begin(), strings.end(), [&](const auto& string) {
    return is_frequent(string) && string.found;
  });
  return {{"distribution", to_string(options.distribution)},
          {"reports", options.reports},
          {"seed", options.seed},
          {"params", params_json(options.params)},
          {"basic", options.basic},
          {"epsilon_one", json_number(epsilon_one(options.params))},
          {"epsilon_infinity", json_number(epsilon_infinity(options.params))},
          {"candidates", simulation.decoding.candidates},
          {"true_strings", simulation.true_strings},
          {"found", simulation.found},
          {"false_positives", simulation.false_positives},
          {"above_one_percent", above},
          {"above_one_percent_found", above_found},
          {"total_variation", simulation.total_variation},
          {"intervals", simulation.intervals},
          {"covering", simulation.covering},
          {"unknown_mass", simulation.decoding.unknown_mass},
          {"detection_limit", simulation.decoding.detection_limit}};
}

}  // namespace sotto::rappor
