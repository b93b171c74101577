#include "sweep/run_outcome.h"

#include <array>

#include "sotto/core/error.h"

namespace sotto::sweep {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kStatuses = {RunStatus::kPending, RunStatus::kFinished, RunStatus::kFailed};

RunStatus status_from(const std::string& text) {
  for (const auto status : kStatuses) {
    if (to_string(status) == text) return status;
  }
  throw InvalidArgument("status '" + text + "' is unknown");
}

}  // namespace

std::string_view to_string(RunStatus status) {
  switch (status) {
    case RunStatus::kPending:
      return "pending";
    case RunStatus::kFinished:
      return "finished";
    case RunStatus::kFailed:
      return "failed";
  }
  return "";
}

Json to_json(const RunOutcome& outcome) {
  Json json;
  json["status"] = to_string(outcome.status);
  json["seconds"] = outcome.seconds;
  json["peak_memory_bytes"] = outcome.peak_memory;
  if (!outcome.message.empty()) json["message"] = outcome.message;
  return json;
}

RunOutcome outcome_from(const Json& json) {
  try {
    RunOutcome outcome;
    outcome.status = status_from(json.at("status").get<std::string>());
    outcome.seconds = json.at("seconds").get<double>();
    outcome.peak_memory = json.at("peak_memory_bytes").get<std::uint64_t>();
    outcome.message = json.value("message", "");
    return outcome;
  } catch (const nlohmann::json::exception&) {
    throw InvalidArgument("is not a record of a run");
  }
}

}  // namespace sotto::sweep
