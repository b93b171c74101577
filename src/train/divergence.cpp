#include "train/divergence.h"

#include <ATen/ops/rand.h>

#include <cmath>

#include "core/printed_number.h"

namespace sotto::train {
namespace {

// So large a loss takes scores that are sure of what is wrong.
constexpr double kTimesGuessing = 2;
// No probability is as sure as a ratio of e^200 to 1.
constexpr double kWidestScores = 200;
constexpr std::int64_t kMadeUpInputs = 64;

bool is_finite(const torch::nn::Sequential& network) {
  for (const auto& parameter : network->parameters()) {
    if (!parameter.isfinite().all().item<bool>()) return false;
  }
  return true;
}

// Mean difference of the highest and the lowest score, for inputs drawn evenly from [-1, 1].
double width_of_scores(const ReleasedModel& model) {
  auto sizes = model.shape;
  sizes.insert(sizes.begin(), kMadeUpInputs);
  auto network = model.network;
  const auto scores = scores_of(network, 2 * at::rand(sizes) - 1);
  return (scores.amax(1) - scores.amin(1)).mean().item<double>();
}

std::string advice(const TrainingConfig& config) {
  return "Training diverged; a smaller learning rate may help, such as " +
         significant(config.learning_rate / 10, 2) + " instead of " +
         significant(config.learning_rate, 4) + ".";
}

}  // namespace

std::optional<std::string> divergence_of(const ReleasedModel& model, const TrainingConfig& config) {
  if (!is_finite(model.network)) return "Weights are not finite. " + advice(config);
  if (config.method == Method::kClipless) return std::nullopt;  // its scores cannot run away
  if (model.public_test) {
    const double guessing = std::log(static_cast<double>(model.classes));
    const double loss = model.public_test->loss;
    if (loss <= kTimesGuessing * guessing) return std::nullopt;
    return "The test loss is " + significant(loss, 4) + ", and guessing has " +
           significant(guessing, 4) + ". " + advice(config);
  }
  const double width = width_of_scores(model);
  if (width < kWidestScores) return std::nullopt;
  return "For made-up inputs the scores of the classes are " + significant(width, 3) + " apart. " +
         advice(config);
}

}  // namespace sotto::train
