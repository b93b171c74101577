#include "sweep/run_outcome.h"

#include <array>
#include <cmath>
#include <limits>

#include "core/json_number.h"
#include "sotto/core/error.h"

namespace sotto::sweep {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kStatuses = {RunStatus::kPending, RunStatus::kFinished, RunStatus::kFailed};

// JSON has no infinity: programs here write it as a string, and NaN as null.
std::optional<double> number_from(const Json& json) {
  if (json.is_null()) return std::nullopt;
  if (json == "Infinity") return std::numeric_limits<double>::infinity();
  return json.get<double>();
}

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

RunOutcome finished_outcome(const std::string& printed) {
  const auto json = Json::parse(printed, nullptr, /*allow_exceptions=*/false);
  try {
    RunOutcome record;
    record.status = RunStatus::kFinished;
    record.accuracy = number_from(json.at("test_accuracy"));
    record.loss = number_from(json.at("test_loss"));
    const bool is_private = json.at("private").get<bool>();
    record.epsilon =
        is_private ? number_from(json.at("epsilon")) : std::numeric_limits<double>::infinity();
    check_argument(record.epsilon.has_value(), "its ε is not a number");
    record.delta = number_from(json.at("delta"));
    record.seconds = json.at("seconds").get<double>();
    return record;
  } catch (const nlohmann::json::exception&) {
    throw InvalidArgument("its result could not be read");
  }
}

Json to_json(const RunOutcome& record) {
  Json json;
  json["status"] = to_string(record.status);
  json["accuracy"] = json_number(record.accuracy);
  json["loss"] = json_number(record.loss);
  json["epsilon"] = json_number(record.epsilon);
  json["delta"] = json_number(record.delta);
  json["seconds"] = record.seconds;
  json["peak_memory_bytes"] = record.peak_memory;
  if (!record.message.empty()) json["message"] = record.message;
  return json;
}

RunOutcome outcome_from(const Json& json) {
  try {
    RunOutcome record;
    record.status = status_from(json.at("status").get<std::string>());
    record.accuracy = number_from(json.at("accuracy"));
    record.loss = number_from(json.at("loss"));
    record.epsilon = number_from(json.at("epsilon"));
    record.delta = number_from(json.at("delta"));
    record.seconds = json.at("seconds").get<double>();
    record.peak_memory = json.at("peak_memory_bytes").get<std::uint64_t>();
    record.message = json.value("message", "");
    return record;
  } catch (const nlohmann::json::exception&) {
    throw InvalidArgument("is not a record of a run");
  }
}

}  // namespace sotto::sweep
