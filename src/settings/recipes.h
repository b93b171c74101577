// Recipes: settings that go together, chosen from public facts alone.
#pragma once

#include <string>

#include "sotto/settings/training_config.h"

namespace sotto::settings {

// What trains one layer on scattering features well, by ε. Chosen on a part of the training records
// of Fashion-MNIST and MNIST (docs/results.md says how).
struct ScatterSettings {
  double largest_epsilon;  // that it is for
  double share;            // of the records in a batch
  std::int64_t epochs;
  double learning_rate;  // of batches of that share, with momentum and gradients of norm 0.1
};
const ScatterSettings& scatter_settings(double epsilon);

inline constexpr double kScatterNorm = 0.1;

// The recipe that `--recipe auto` takes: scatter for pictures that are known to suit it, trained by
// DP-SGD with momentum, where no other network is asked for.
Recipe suitable_recipe(const TrainingChoices& choices);

// Why, in a sentence.
std::string reason_for(const TrainingConfig& config);

}  // namespace sotto::settings
