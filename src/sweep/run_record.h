// What is known of one run of a sweep.
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
std::string_view name(RunStatus status);

struct RunRecord {
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
RunRecord finished_record(const std::string& printed);

nlohmann::ordered_json to_json(const RunRecord& record);
// Throws InvalidArgument if it is none.
RunRecord record_from(const nlohmann::ordered_json& json);

}  // namespace sotto::sweep
