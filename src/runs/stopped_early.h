// A run that was ended before its last step, and published as it was.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "runs/privacy_report.h"

namespace sotto::runs {

struct StoppedEarly {
  std::int64_t steps = 0;          // charged
  std::int64_t planned_steps = 0;  // that its target or its epochs allowed
  std::int64_t model_step = 0;     // after which the published model was saved; at most `steps`
};

// In the folder of such a run, from before anything of it is published.
constexpr const char* kStoppedEarlyFile = "stopped_early.json";

nlohmann::json json_of(const StoppedEarly& stopped);

// Throws InvalidArgument, naming the file, if the run in this folder was ended early.
void require_not_stopped(const std::filesystem::path& run_folder);

// ε of the steps that were charged is proved for a number of steps that was fixed without looking
// at what they released. Whoever stops because of that has what a run of all planned steps
// promises, of which any part that ends earlier is post-processing. So the run's limits say both.
void add_limit(const StoppedEarly& stopped, AccountedRun& run);

}  // namespace sotto::runs
