// What lies in the folder of runs.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "explore/runs_folder.h"

namespace sotto::explore {

// An object: folder; runs, newest first; sweeps, newest first.
// A run: name (its path in the folder), kind (train or gan), dataset, model, private, epsilon,
// delta, accuracy, epochs, date (ISO 8601, UTC), sweep (the name of the sweep that it belongs to,
// or null). A sweep: name, date, runs (how many it lists). What is not known is null.
nlohmann::ordered_json run_catalogue(const RunsFolder& runs);

}  // namespace sotto::explore
