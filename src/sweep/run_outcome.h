// How the process of one run ended: what the folder of the run does not hold. What the run reached
// and promises is read from there (runs::RunRecord).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace sotto::sweep {

enum class RunStatus {
  kPending,   // not started, or interrupted
  kFinished,  // has a result
  kFailed,
};
// "pending", "finished" or "failed".
std::string_view to_string(RunStatus status);

struct RunOutcome {
  RunStatus status = RunStatus::kPending;
  double seconds = 0;             // that the process took
  std::uint64_t peak_memory = 0;  // bytes
  std::string message = {};       // why it failed
};

nlohmann::ordered_json to_json(const RunOutcome& outcome);
// Other members are left out: earlier versions also wrote what the run had reached. Throws
// InvalidArgument if it is none.
RunOutcome outcome_from(const nlohmann::ordered_json& json);

}  // namespace sotto::sweep
