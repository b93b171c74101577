#include "sotto/settings/training_config.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "settings/recipes.h"
#include "settings/table_conditions.h"

namespace sotto::settings {
namespace {

constexpr std::int64_t kUsualBatch = 1024;  // of private training, where there are records enough

Recipe recipe_of(const TrainingChoices& choices) {
  return choices.recipe.value_or(suitable_recipe(choices));
}

std::string suitable_model(const TrainingChoices& choices) {
  if (!choices.model.empty()) return choices.model;
  if (recipe_of(choices) == Recipe::kScatter) return "scatter-linear";
  if (choices.method == TrainingMethod::kClipless) return "lip-mlp";
  return is_table(choices.dataset) ? "softmax" : "cnn";
}

bool is_one_layer_on_a_table(const TrainingChoices& choices) {
  return is_table(choices.dataset) && suitable_model(choices) == "softmax";
}

// Adaptive optimizers move every weight by about their rate in each step, whatever the gradient:
// noise too. One layer bears that; its weights must get as far as 1 within a few dozen steps.
double adaptive_rate(const TrainingChoices& choices) {
  const bool one_layer = is_one_layer_on_a_table(choices);
  const bool squares_only = choices.optimizer == OptimizerKind::kRmsprop;
  if (choices.disable_dp) return one_layer ? 0.03 : 0.001;
  if (one_layer) return squares_only ? 0.05 : 0.1;
  return squares_only ? 0.003 : 0.005;
}

// Smaller batches make more steps in an epoch, each of which moves the weights less.
double scatter_rate(const TrainingChoices& choices) {
  constexpr double kRecords = 60'000;
  const auto& settings = scatter_settings(choices.target_epsilon);
  if (choices.batch_size == 0) return settings.learning_rate;
  const double share = static_cast<double>(choices.batch_size) / kRecords;
  return settings.learning_rate * std::min(1.0, share / settings.share);
}

bool is_scattering(const std::string& model) { return model.starts_with("scatter-"); }

// Of an optimizer without momentum: as far as with it in the end.
constexpr double kWithoutMomentum = 10;

double scattering_network_rate(const TrainingChoices& choices) {
  const bool deep = suitable_model(choices) != "scatter-linear";
  if (choices.optimizer == OptimizerKind::kSgd) {
    return kWithoutMomentum * scattering_network_rate({.model = choices.model,
                                                       .disable_dp = choices.disable_dp,
                                                       .recipe = Recipe::kScatter,
                                                       .target_epsilon = choices.target_epsilon,
                                                       .batch_size = choices.batch_size});
  }
  if (choices.optimizer != OptimizerKind::kMomentum) return choices.disable_dp ? 0.0003 : 0.003;
  if (choices.disable_dp) return deep ? 0.01 : 0.0003;
  return deep ? scatter_rate(choices) / 4 : scatter_rate(choices);
}

// With momentum and batches of the usual size. Three times as much and the loss on tables is that
// of guessing: one layer oscillates, several layers drift with the noise.
double momentum_rate(const TrainingChoices& choices) {
  if (choices.disable_dp) return 0.05;
  if (!is_table(choices.dataset)) return 0.5;
  return is_one_layer_on_a_table(choices) ? 0.2 : 0.05;
}

// The smaller the batch, the more noise is in a step's mean. One layer on a table has few
// parameters and bears it.
double share_of_usual_batch(const TrainingChoices& choices) {
  const bool bears_noise = choices.disable_dp || is_one_layer_on_a_table(choices);
  if (bears_noise || choices.batch_size == 0) return 1;
  return std::min(1.0, static_cast<double>(choices.batch_size) / kUsualBatch);
}

// Pictures: several wide layers bear less than convolutions do.
double rate_without_momentum(const TrainingChoices& choices) {
  if (choices.disable_dp || is_table(choices.dataset))
    return kWithoutMomentum * momentum_rate(choices);
  const auto model = suitable_model(choices);
  return model == "mlp" || model == "softmax" ? 2 : 4;
}

double suitable_rate(const TrainingChoices& choices) {
  if (is_scattering(suitable_model(choices))) return scattering_network_rate(choices);
  if (choices.method == TrainingMethod::kClipless) return 0.3;
  const double share = share_of_usual_batch(choices);
  switch (choices.optimizer) {
    case OptimizerKind::kSgd:
      return rate_without_momentum(choices) * share;
    case OptimizerKind::kMomentum:
      return momentum_rate(choices) * share;
    case OptimizerKind::kAdam:
    case OptimizerKind::kAdamW:
      return adaptive_rate(choices) * std::sqrt(share);  // steps are as long, whatever the noise
    case OptimizerKind::kRmsprop:
      return adaptive_rate(choices);
  }
  throw std::logic_error("unknown optimizer");
}

// Of batches, where there are records enough.
std::int64_t largest_suitable_batch(const TrainingConfig& config) {
  if (config.method == TrainingMethod::kClipless) return 2500;
  return config.disable_dp ? 128 : kUsualBatch;
}

}  // namespace

// A few steps in each epoch: larger batches make too few of them, smaller ones too much noise.
std::int64_t suitable_batch_size(const TrainingConfig& config, std::int64_t records) {
  if (is_scattering(config.model) && !config.disable_dp) {
    const double share = scatter_settings(config.target_epsilon).share;
    return std::max<std::int64_t>(1, std::llround(share * static_cast<double>(records)));
  }
  constexpr std::int64_t kStepsPerEpoch = 4;
  return std::clamp<std::int64_t>(records / kStepsPerEpoch, 1, largest_suitable_batch(config));
}

TrainingConfig TrainingConfig::suited_to(const TrainingChoices& choices) {
  TrainingConfig config;
  config.method = choices.method;
  config.disable_dp = choices.disable_dp;
  config.dataset = choices.dataset;
  config.optimizer = choices.optimizer;
  config.target_epsilon = choices.target_epsilon;
  config.recipe = recipe_of(choices);
  config.model = suitable_model(choices);
  config.learning_rate = suitable_rate(choices);
  config.clipping = choices.clipping;
  // Gradients of a few dozen scaled columns are seldom longer: little is clipped. Automatic
  // clipping makes every gradient that long, so that the norm is a part of the rate.
  const bool normalised = std::holds_alternative<AutomaticClipping>(choices.clipping);
  if (is_table(choices.dataset) && !normalised) config.max_grad_norm = 3;
  if (choices.disable_dp) config.average = 0;
  // Without noise one layer gets better until it has converged.
  if (choices.disable_dp && is_one_layer_on_a_table(choices)) config.epochs = 30;
  if (choices.method == TrainingMethod::kClipless) {
    config.epochs = 25;
    config.max_grad_norm = 0.1;
  }
  if (is_scattering(config.model)) {
    config.max_grad_norm = kScatterNorm;
    if (!choices.disable_dp) config.epochs = scatter_settings(choices.target_epsilon).epochs;
  }
  if (choices.model == "vgg16") {
    config.image_size = 224;
    config.image_channels = 3;
  }
  return config;
}

}  // namespace sotto::settings
