// A folder that `sotto sweep` wrote.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "explore/runs_folder.h"

namespace sotto::explore {

bool is_sweep_folder(const RunsFolder& runs, const std::string& name);

// The file that makes it a sweep: sweep.json, else results.csv.
std::string sweep_file(const RunsFolder& runs, const std::string& name);

// How many rows its table has.
std::size_t sweep_size(const RunsFolder& runs, const std::string& name);

// An object: name; columns, the names of all members that any row has, in the order of their first
// appearance; rows, arrays of one value per column (null where a row has none; what is not a plain
// value is written as JSON); summary, the other members of sweep.json; files; problems. The rows
// are the objects in the "runs" of sweep.json, else the lines of results.csv. The ε of a run that
// its folder does not prove any more is null, and so is every ε of the choice among the runs.
nlohmann::ordered_json sweep_details(const RunsFolder& runs, const std::string& name);

}  // namespace sotto::explore
