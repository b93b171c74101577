#include "train/memory_limit.h"

#include <algorithm>

#include "sotto/core/error.h"
#include "train/optimizers.h"
#include "train/step_memory.h"
#include "train/training_state.h"

namespace sotto::train {
namespace {

constexpr double kMemoryToSpare = 1.1;

// A network like the state's, with weights of its own.
torch::nn::Sequential twin_of(const torch::nn::Sequential& model) {
  torch::nn::Sequential twin(std::dynamic_pointer_cast<torch::nn::SequentialImpl>(model->clone()));
  const auto originals = model->parameters();  // in the same order; a clone's names are others
  auto copies = twin->parameters();
  for (std::size_t i = 0; i < copies.size(); ++i) {
    copies[i].set_requires_grad(originals[i].requires_grad());
  }
  return twin;
}

StepSetting step_setting(const TrainingState& state,
                         const std::vector<std::int64_t>& sample_shape) {
  StepSetting setting;
  setting.make_network = [&state, sample_shape] {
    return Network::of(twin_of(state.model), sample_shape,
                       static_cast<std::int64_t>(state.card.classes.size()));
  };
  setting.optimizer = [&state](const torch::nn::Module& module) {
    return make_optimizer(module, state.config);
  };
  return setting;
}

StepPrediction prediction_of(const TrainingState& state, StepSetting setting) {
  setting.path = StepPath::kPlain;  // no per-sample gradients in clipless training
  if (!state.clipless) {
    setting.path = StepPath::kFused;
    if (state.config.gradients != GradientPath::kGraph) {
      if (const auto fused = StepPrediction::make(setting)) return *fused;
    }
    setting.path = StepPath::kGraph;
  }
  return StepPrediction::make(setting).value();
}

}  // namespace

std::int64_t max_physical_batch_size_of(const TrainingState& state,
                                        const std::vector<std::int64_t>& sample_shape,
                                        std::int64_t held) {
  const auto& config = state.config;
  if (config.memory_limit == 0) return config.max_physical_batch_size;
  const auto prediction = prediction_of(state, step_setting(state, sample_shape));
  const auto left = static_cast<double>(config.memory_limit - held) / kMemoryToSpare;
  const auto largest = prediction.largest_batch(left);
  check_setting(largest >= 1, the_setting("memory_limit"), " ", config.memory_limit,
                " bytes: the process with its data and a step on one sample needs ",
                held + static_cast<std::int64_t>(kMemoryToSpare * prediction.at(1).peak()));
  return config.max_physical_batch_size > 0 ? std::min(config.max_physical_batch_size, largest)
                                            : largest;
}

}  // namespace sotto::train
