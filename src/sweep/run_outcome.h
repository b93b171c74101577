// How the process of one run ended, and what it printed. What a run may promise is read from its
// own folder (runs::charge_of).
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
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
  // Of the test data; nothing where training diverged, or did not finish.
  std::optional<double> accuracy = {};
  std::optional<double> loss = {};
  std::optional<double> epsilon = {};  // infinite without privacy; nothing if not finished
  std::optional<double> delta = {};
  double seconds = 0;             // of training; if it failed, of its process
  std::uint64_t peak_memory = 0;  // bytes
  std::string message = {};       // why it failed
};

// From what `sotto train --json` printed. Throws InvalidArgument if it is something else.
RunOutcome finished_outcome(const std::string& printed);

nlohmann::ordered_json to_json(const RunOutcome& record);
// Throws InvalidArgument if it is none.
RunOutcome outcome_from(const nlohmann::ordered_json& json);

}  // namespace sotto::sweep
