// Which runs were trained on the same data, as far as their settings tell.
#pragma once

#include <string>
#include <vector>

#include "runs/run_record.h"

namespace sotto::runs {

// Places in the list, by data set. Two runs are together if their data have the same content
// (RunRecord::data_identity) or the same name, or if others between them do.
std::vector<std::vector<std::size_t>> runs_by_data(const std::vector<RunRecord>& runs);

// Every name that such runs have for their data, once, in the order of the runs.
std::string data_names(const std::vector<const RunRecord*>& runs);

// How they are known to share it: "content", "name", "name, though the content differs" or "name or
// content". REQUIRES: at least one run.
std::string same_data_by(const std::vector<const RunRecord*>& runs);

}  // namespace sotto::runs
