#include "explore/run_details.h"

#include <nlohmann/json.hpp>

#include "core/json_number.h"
#include "explore/run_files.h"
#include "explore/shown_file.h"
#include "runs/combined_cost.h"
#include "runs/run_record.h"

namespace sotto::explore {

namespace {

using Json = nlohmann::ordered_json;

struct RunFiles {
  Json config;
  Json privacy;
  std::vector<Json> metrics;
  Problems problems;

  RunFiles(const RunsFolder& runs, const std::string& name) {
    config = json_object(runs, name + "/config.json", problems);
    privacy = json_object(runs, name + "/privacy.json", problems);
    metrics = json_lines(runs, name + "/metrics.jsonl", problems);
  }
};

// The last that was measured.
Json last(const std::vector<Json>& metrics, const char* key) {
  for (auto line = metrics.rbegin(); line != metrics.rend(); ++line) {
    if (Json value = member(*line, key); value.is_number()) return value;
  }
  return nullptr;
}

// What a record is read from. A name that leads out of the folder, or to a pipe, is not a file
// here.
bool has_readable_files(const RunsFolder& runs, const std::string& name, Problems& problems) {
  for (const auto* file : {"config.json", "metrics.jsonl", "evaluation.json", "ledger.jsonl"}) {
    std::error_code none;
    const std::string path = name + "/" + file;
    const auto found = std::filesystem::symlink_status(runs.path() / path, none);
    if (!std::filesystem::exists(found) || runs.file_time(path)) continue;
    problems.push_back(path + ": not a file of this folder: no ε is shown");
    return false;
  }
  return true;
}

// As `sotto report` reads it: an ε that the run's own plan and ledger bear out. Whatever else
// privacy.json says is a problem, and no number.
Json verified_epsilon(const RunsFolder& runs, const std::string& name, Problems& problems) {
  if (!has_readable_files(runs, name, problems)) return nullptr;
  try {
    const auto record = sotto::runs::RunRecord::read(runs.path() / name);
    if (const auto asked = sotto::runs::cost_with_queries(record)) {
      problems.push_back(asked->sentence);
    }
    if (record.contradictions().empty()) return json_number(record.epsilon());
    for (const auto& sentence : record.contradictions()) problems.push_back(sentence);
  } catch (const std::exception& error) {
    problems.push_back(std::string(error.what()) + ": no ε is shown");
  }
  return nullptr;
}

// A run that is not private has no ε, whatever its metrics say; one that has not come to its end
// has charged more than its last finished epoch, and promises nothing yet.
Json epsilon_of(const RunsFolder& runs, const std::string& name, RunFiles& files) {
  if (member(files.privacy, "private") == Json(false)) return "Infinity";
  if (files.privacy.is_object()) return verified_epsilon(runs, name, files.problems);
  const bool unprotected = member(files.config, "disable_dp") == Json(true) ||
                           member(files.config, "insecure_seed").is_number();
  return unprotected ? Json("Infinity") : Json();
}

// ε of all that the ledger of a run has charged that was interrupted, or still goes on; null if it
// has none, or has come to its end.
Json epsilon_spent(const RunsFolder& runs, const std::string& name, Problems& problems) {
  std::error_code none;
  const auto privacy = std::filesystem::symlink_status(runs.path() / name / "privacy.json", none);
  if (std::filesystem::exists(privacy) || !runs.file_time(name + "/ledger.jsonl")) return nullptr;
  if (!has_readable_files(runs, name, problems)) return nullptr;
  try {
    const auto record = sotto::runs::RunRecord::read_charged(runs.path() / name);
    if (!record) return 0;
    if (record->contradictions().empty()) return json_number(record->epsilon());
    for (const auto& sentence : record->contradictions()) problems.push_back(sentence);
  } catch (const std::exception& error) {
    problems.push_back(std::string(error.what()) + ": nobody can tell what it has spent");
  }
  return nullptr;
}

Json summary(const RunsFolder& runs, const std::string& name, RunFiles& files) {
  const bool generator = member(files.config, "kind") == Json("gan");
  const Json dataset =
      generator ? member(member(files.config, "data"), "dataset") : member(files.config, "dataset");
  const Json delta = member(files.privacy, "delta");
  Json json;
  json["name"] = name;
  json["kind"] = generator ? "gan" : "train";
  json["dataset"] = dataset;
  json["model"] = member(files.config, generator ? "method" : "model");
  json["private"] = member(files.privacy, "private");
  json["epsilon"] = epsilon_of(runs, name, files);
  json["epsilon_spent"] = epsilon_spent(runs, name, files.problems);
  json["delta"] = delta.is_null() ? member(files.config, "delta") : delta;
  json["accuracy"] = last(files.metrics, "test_accuracy");
  json["epochs"] = last(files.metrics, "epoch");
  return json;
}

}  // namespace

Json run_summary(const RunsFolder& runs, const std::string& name) {
  RunFiles files(runs, name);
  return summary(runs, name, files);
}

Json run_details(const RunsFolder& runs, const std::string& name) {
  RunFiles files(runs, name);
  Json json = summary(runs, name, files);
  json["metrics"] = files.metrics;
  json["privacy"] = files.privacy;
  json["config"] = files.config;
  json["files"] = Json::array();
  for (const auto& file : runs.files_in(name)) {
    if (content_type(file)) json["files"].push_back(file);
  }
  json["problems"] = files.problems;
  return json;
}

std::string run_file(const RunsFolder& runs, const std::string& name) {
  return runs.file_time(name + "/config.json") ? "config.json" : "privacy.json";
}

}  // namespace sotto::explore
