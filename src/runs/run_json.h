// Runs, and what they cost together, for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "runs/combined_cost.h"
#include "runs/data_spend.h"
#include "runs/run_record.h"

namespace sotto::runs {

// What was trained, what it promises and what it reached; null for what is not known.
nlohmann::ordered_json run_json(const RunRecord& run);

// `runs`: the list that the cost is about.
nlohmann::ordered_json combined_json(const CombinedCost& combined,
                                     const std::vector<RunRecord>& runs);

nlohmann::ordered_json spenders_json(const std::vector<Spender>& spenders);
nlohmann::ordered_json spend_json(const DataSpend& spend);

}  // namespace sotto::runs
