// Folders of finished runs, as sotto train and sotto gan train leave them.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "sotto/plan/plan.h"

namespace sotto::runs {

struct RunFiles {
  std::string dataset = "fashion-mnist";
  std::string data_identity = {};  // none, as older runs
  double noise_multiplier = 1;
  std::int64_t batch_size = 100;
  std::int64_t steps = 40;
  accounting::Sampling sampling = accounting::Sampling::kPoisson;
  bool with_evaluation = true;
  std::int64_t group_size = 1;
};

inline constexpr double kRunDelta = 1e-5;

Plan plan_of(const RunFiles& files);
// ε of the run, by the accountant.
double epsilon_of(const RunFiles& files);

// config.json, metrics.jsonl, privacy.json, ledger.jsonl, and evaluation.json if asked for.
void write_run(const std::filesystem::path& folder, const RunFiles& files = {});
// Adds held_out.jsonl with a charge, which privacy.json names.
void write_held_out_release(const std::filesystem::path& run, double epsilon);
// --disable-dp.
void write_plain_run(const std::filesystem::path& folder, const std::string& dataset);
// --insecure-seed: privacy.json has an ε, which means nothing.
void write_seeded_run(const std::filesystem::path& folder);
// sotto gan train --method basic.
void write_generator_run(const std::filesystem::path& folder);

nlohmann::json evaluation_json();
nlohmann::json read_json(const std::filesystem::path& path);
void write_json(const std::filesystem::path& path, const nlohmann::json& json);
// Changes one file of a run.
template <typename Change>
void edit_json(const std::filesystem::path& path, Change change) {
  auto json = read_json(path);
  change(json);
  write_json(path, json);
}

}  // namespace sotto::runs
