#include "sotto/settings/training_config.h"

namespace sotto::settings {
namespace {

std::string suitable_model(const TrainingChoices& choices) {
  if (!choices.model.empty()) return choices.model;
  if (choices.method == TrainingMethod::kClipless) return "lip-mlp";
  return choices.is_table() ? "softmax" : "cnn";
}

// Adaptive optimizers move every weight by about their rate in each step, whatever the gradient:
// noise too.
double suitable_rate(const TrainingChoices& choices) {
  if (choices.method == TrainingMethod::kClipless) return 0.3;
  switch (choices.optimizer) {
    case OptimizerKind::kSgd:
      return choices.disable_dp ? 0.5 : 4;
    case OptimizerKind::kMomentum:
      return choices.disable_dp ? 0.05 : (choices.is_table() ? 0.2 : 0.5);
    case OptimizerKind::kAdam:
    case OptimizerKind::kAdamW:
      return choices.disable_dp ? 0.001 : 0.005;
    case OptimizerKind::kRmsprop:
      return choices.disable_dp ? 0.001 : 0.003;
  }
  return 0.5;
}

}  // namespace

TrainingConfig TrainingConfig::suited_to(const TrainingChoices& choices) {
  TrainingConfig config;
  config.method = choices.method;
  config.disable_dp = choices.disable_dp;
  config.dataset = choices.dataset;
  config.optimizer = choices.optimizer;
  config.model = suitable_model(choices);
  config.learning_rate = suitable_rate(choices);
  config.clipping = choices.clipping;
  // Gradients of a few dozen scaled columns are seldom longer: little is clipped. Automatic
  // clipping makes every gradient that long, so that the norm is a part of the rate.
  const bool normalised = std::holds_alternative<AutomaticClipping>(choices.clipping);
  if (choices.is_table() && !normalised) config.max_grad_norm = 3;
  if (choices.disable_dp) {
    config.average = 0;
    config.batch_size = 128;
  }
  if (choices.method == TrainingMethod::kClipless) {
    config.batch_size = 2500;
    config.epochs = 25;
    config.max_grad_norm = 0.1;
  }
  if (choices.model == "vgg16") {
    config.image_size = 224;
    config.image_channels = 3;
  }
  return config;
}

}  // namespace sotto::settings
