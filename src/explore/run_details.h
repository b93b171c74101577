// One run of `sotto train` or `sotto gan train`, as its folder tells it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "explore/runs_folder.h"

namespace sotto::explore {

// An object: name, kind, dataset, model, private, epsilon ("Infinity" if nothing is promised),
// epsilon_spent (of a run that has not come to its end), delta, accuracy, epochs. What is not known
// is null; ε is as runs::RunRecord verifies it.
nlohmann::ordered_json run_summary(const RunsFolder& runs, const std::string& name);

// The same with: metrics, the objects of metrics.jsonl; privacy and config, as they lie there, or
// null; files, the names of those that can be looked at; problems, sentences. Metrics and privacy
// hold no ε of a run that has none above.
nlohmann::ordered_json run_details(const RunsFolder& runs, const std::string& name);

// The file that makes it a run: config.json, else privacy.json.
std::string run_file(const RunsFolder& runs, const std::string& name);

}  // namespace sotto::explore
