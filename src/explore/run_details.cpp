#include "explore/run_details.h"

#include <nlohmann/json.hpp>

#include "core/json_number.h"
#include "explore/run_files.h"
#include "explore/shown_file.h"
#include "runs/combined_cost.h"
#include "runs/run_charge.h"
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
  for (const auto* file : {"config.json", "privacy.json", "metrics.jsonl", "evaluation.json",
                           "ledger.jsonl", "held_out.jsonl"}) {
    std::error_code none;
    const std::string path = name + "/" + file;
    const auto found = std::filesystem::symlink_status(runs.path() / path, none);
    if (!std::filesystem::exists(found) || runs.file_time(path)) continue;
    problems.push_back(path + ": not a file of this folder: no ε is shown");
    return false;
  }
  return true;
}

// What `sotto report` would say of a run.
struct Verified {
  bool is_read = false;
  Json epsilon = nullptr;  // that the run's own plan and ledger bear out
  Json accuracy = nullptr;
};

// Of a run that was interrupted, or still goes on, everything that its ledger has charged. Whatever
// else its files say is a problem, and no number.
Verified verified(const RunsFolder& runs, const std::string& name, Problems& problems) {
  if (!has_readable_files(runs, name, problems)) return {};
  try {
    const auto record = sotto::runs::RunRecord::read_charged(runs.path() / name);
    if (!record) return {.epsilon = 0};
    if (const auto asked = sotto::runs::cost_with_queries(*record)) {
      problems.push_back(asked->sentence);
    }
    const auto& contradictions = record->contradictions();
    problems.insert(problems.end(), contradictions.begin(), contradictions.end());
    return {.is_read = true,
            .epsilon = contradictions.empty() ? json_number(record->epsilon()) : Json(),
            .accuracy = json_number(record->accuracy())};
  } catch (const std::exception& error) {
    problems.push_back(std::string(error.what()) + ": no ε is shown");
    return {};
  }
}

bool promises_nothing_yet(const RunsFolder& runs, const std::string& name) {
  std::error_code none;
  const auto privacy = std::filesystem::symlink_status(runs.path() / name / "privacy.json", none);
  return !std::filesystem::exists(privacy);
}

// Has charged something, perhaps, and promises nothing yet.
bool is_unfinished(const RunsFolder& runs, const std::string& name) {
  return promises_nothing_yet(runs, name) && runs.file_time(name + "/ledger.jsonl");
}

// Has charged something, and nothing is left that says what.
bool has_lost_its_charges(const RunsFolder& runs, const std::string& name) {
  return promises_nothing_yet(runs, name) && !runs.file_time(name + "/ledger.jsonl") &&
         sotto::runs::has_trained(runs.path() / name);
}

// A run that is not private has no ε, whatever its files say.
bool is_without_privacy(const RunFiles& files) {
  if (files.privacy.is_object()) return member(files.privacy, "private") == Json(false);
  return member(files.config, "disable_dp") == Json(true) ||
         member(files.config, "insecure_seed").is_number();
}

bool shows_epsilon(const Json& summary) {
  return summary["epsilon"].is_number() || summary["epsilon_spent"].is_number();
}

// It means something with an ε alone.
Json shown_delta(const Json& summary, const RunFiles& files) {
  if (!shows_epsilon(summary)) return nullptr;
  const Json delta = member(files.privacy, "delta");
  return delta.is_null() ? member(files.config, "delta") : delta;
}

Json summary(const RunsFolder& runs, const std::string& name, RunFiles& files) {
  const bool generator = member(files.config, "kind") == Json("gan");
  const Json dataset =
      generator ? member(member(files.config, "data"), "dataset") : member(files.config, "dataset");
  const bool unprotected = is_without_privacy(files);
  const bool finished = files.privacy.is_object();
  const bool unfinished = is_unfinished(runs, name);
  const bool priced = unfinished || (finished && !unprotected);
  const Verified run = priced ? verified(runs, name, files.problems) : Verified{};
  if (!unprotected && has_lost_its_charges(runs, name)) {
    files.problems.push_back(name +
                             "/ledger.jsonl: is missing, as is privacy.json, though the run has "
                             "trained: no ε is shown");
  }
  Json json;
  json["name"] = name;
  json["kind"] = generator ? "gan" : "train";
  json["dataset"] = dataset;
  json["model"] = member(files.config, generator ? "method" : "model");
  json["private"] = member(files.privacy, "private");
  json["epsilon"] = unprotected ? Json(kInfinityText) : finished ? run.epsilon : Json();
  json["epsilon_spent"] = unfinished ? run.epsilon : Json();
  json["delta"] = shown_delta(json, files);
  json["accuracy"] = run.is_read ? run.accuracy : last(files.metrics, "test_accuracy");
  json["epochs"] = last(files.metrics, "epoch");
  return json;
}

// Of a run for which `summary` shows no ε, its files must not show one either.
void withhold_epsilon(const Json& summary, RunFiles& files) {
  if (shows_epsilon(summary)) return;
  for (auto& line : files.metrics) line.erase("epsilon");
  if (!files.privacy.is_object()) return;
  if (!is_without_privacy(files)) {
    files.privacy = {{"private", member(files.privacy, "private")},
                     {"statement", {{"promise", "No ε is proved for this run."}}}};
  }
  for (const auto* key : {"epsilon", "epsilon_lower", "delta"}) files.privacy.erase(key);
}

}  // namespace

Json run_summary(const RunsFolder& runs, const std::string& name) {
  RunFiles files(runs, name);
  return summary(runs, name, files);
}

Json run_details(const RunsFolder& runs, const std::string& name) {
  RunFiles files(runs, name);
  Json json = summary(runs, name, files);
  withhold_epsilon(json, files);
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
