#include "train/divergence.h"

#include <ATen/ops/rand.h>

#include <algorithm>
#include <cmath>

#include "core/percentage.h"
#include "core/printed_number.h"

namespace sotto::train {
namespace {

// Beyond what the choice of test records makes of a model that knows nothing.
constexpr double kTimesGuessing = 1.1;
constexpr std::int64_t kMadeUpInputs = 64;

// How far apart scores for made-up inputs may be. Defaults make 2 to 4 with one layer and 3 to 3000
// with several; rates a hundred times as large make 8 (Adam) to 400 with one, and 70000 and more.
struct WidestScores {
  double unjustified;  // where nothing is known of the answers
  double absurd;       // whatever is known of them
};
constexpr WidestScores kOfOneLayer{20, 200};
constexpr WidestScores kOfSeveralLayers{1e4, 1e4};

WidestScores widest_scores(const torch::nn::Sequential& network) {
  const auto parameters = network->parameters();
  const auto layers = std::count_if(parameters.begin(), parameters.end(),
                                    [](const auto& parameter) { return parameter.dim() >= 2; });
  return layers <= 1 ? kOfOneLayer : kOfSeveralLayers;
}

bool is_finite(const torch::nn::Sequential& network) {
  for (const auto& parameter : network->parameters()) {
    if (!parameter.isfinite().all().item<bool>()) return false;
  }
  return true;
}

// Mean difference of the highest and the lowest score, for inputs drawn evenly from [-1, 1]: the
// declared ranges of columns, and all values of pixels.
double width_of_scores(const ReleasedModel& model) {
  auto sizes = model.shape;
  sizes.insert(sizes.begin(), kMadeUpInputs);
  auto network = model.network;
  const auto scores = scores_of(network, 2 * at::rand(sizes) - 1);
  return (scores.amax(1) - scores.amin(1)).mean().item<double>();
}

double guessing_loss(const ReleasedModel& model) {
  return std::log(static_cast<double>(model.classes));
}

// The best that the noised accuracy leaves possible; nothing if none was released.
std::optional<double> accuracy_at_best(const ReleasedModel& model) {
  if (!model.held_out) return std::nullopt;
  const auto accuracy = model.held_out->accuracy();
  if (!accuracy) return std::nullopt;
  return std::min(1.0, *accuracy + 2 * model.held_out->accuracy_error().value_or(0));
}

std::string test_problem(const ReleasedModel& model) {
  const double guessing = guessing_loss(model);
  const double loss = model.public_test->loss;
  if (loss <= kTimesGuessing * guessing) return "";
  return "The test loss is " + significant(loss, 4) + ", and guessing has " +
         significant(guessing, 4) + ".";
}

// A wrong answer costs about half of what the scores are apart: then the loss is above guessing's.
bool is_too_confident(double width, double accuracy, double guessing) {
  return (1 - accuracy) * width / 2 > guessing;
}

std::string score_problem(const ReleasedModel& model) {
  const double width = width_of_scores(model);
  const auto widest = widest_scores(model.network);
  const auto accuracy = accuracy_at_best(model);
  const std::string apart =
      "For made-up inputs the scores of the classes are " + significant(width, 3) + " apart";
  if (!(width <= (accuracy ? widest.absurd : widest.unjustified))) return apart + ".";
  if (!accuracy || !is_too_confident(width, *accuracy, guessing_loss(model))) return "";
  return apart + ": too confident for an accuracy of " +
         short_percentage(*model.held_out->accuracy(), 4) + ".";
}

std::string problem_of(const ReleasedModel& model, const TrainingConfig& config) {
  if (!is_finite(model.network)) return "Weights are not finite.";
  if (config.method == Method::kClipless) return "";  // its scores cannot run away
  return model.public_test ? test_problem(model) : score_problem(model);
}

}  // namespace

double smaller_rate(const TrainingConfig& config) {
  const auto usual = TrainingConfig::suited_to({.method = config.method,
                                                .model = config.model,
                                                .disable_dp = config.disable_dp,
                                                .dataset = config.dataset,
                                                .optimizer = config.optimizer,
                                                .clipping = config.clipping,
                                                .recipe = config.recipe,
                                                .target_epsilon = config.target_epsilon,
                                                .batch_size = config.batch_size})
                         .learning_rate;
  return std::min(usual, config.learning_rate / 10);
}

std::optional<std::string> divergence_of(const ReleasedModel& model, const TrainingConfig& config) {
  const auto problem = problem_of(model, config);
  if (problem.empty()) return std::nullopt;
  return problem + " Training diverged; a smaller learning rate may help, such as " +
         significant(smaller_rate(config), 2) + " instead of " +
         significant(config.learning_rate, 4) + ".";
}

}  // namespace sotto::train
