// Folders as `sotto train` leaves them to a sweep.
#pragma once

#include <cmath>
#include <filesystem>

#include "tests/runs/run_files.h"

namespace sotto::sweep {

// What a run of 100 steps over 1000 records in batches of 50 releases.
inline runs::RunFiles swept_files(double noise_multiplier) {
  return {.dataset = "digits",
          .noise_multiplier = noise_multiplier,
          .batch_size = 50,
          .steps = 100,
          .with_evaluation = false};
}

inline Plan swept_plan(double noise_multiplier) { return plan_of(swept_files(noise_multiplier)); }

inline void write_swept_run(const std::filesystem::path& folder, double noise_multiplier) {
  runs::write_run(folder, swept_files(noise_multiplier));
  runs::edit_json(folder / "config.json", [](auto& config) { config["delta"] = runs::kRunDelta; });
}

// A run that reached this accuracy and promises this ε, or nothing if it is infinite. What it was
// charged costs less than 0.1.
inline void write_result(const std::filesystem::path& folder, double accuracy, double epsilon) {
  if (std::isinf(epsilon)) {
    runs::write_plain_run(folder, "digits");
  } else {
    write_swept_run(folder, /*noise_multiplier=*/40);
    runs::edit_json(folder / "privacy.json", [&](auto& json) { json["epsilon"] = epsilon; });
  }
  runs::write_json(folder / "evaluation.json",
                   {{"accuracy", accuracy}, {"loss", 0.5}, {"seconds", 2.5}});
}

}  // namespace sotto::sweep
