#include "train/optimizers.h"

#include <fnmatch.h>
#include <torch/optim.h>

#include "sotto/core/error.h"

namespace sotto::train {

namespace optim = torch::optim;

std::unique_ptr<optim::Optimizer> make_optimizer(const torch::nn::Module& model,
                                                 const TrainingConfig& config) {
  std::vector<torch::Tensor> parameters;
  for (const auto& parameter : model.parameters()) {
    if (parameter.requires_grad()) parameters.push_back(parameter);
  }
  const double rate = config.learning_rate;
  const double decay = config.weight_decay;
  switch (config.optimizer) {
    case OptimizerKind::kSgd:
      return std::make_unique<optim::SGD>(parameters, optim::SGDOptions(rate).weight_decay(decay));
    case OptimizerKind::kMomentum:
      return std::make_unique<optim::SGD>(
          parameters, optim::SGDOptions(rate).momentum(0.9).weight_decay(decay));
    case OptimizerKind::kAdam:
      return std::make_unique<optim::Adam>(parameters,
                                           optim::AdamOptions(rate).weight_decay(decay));
    case OptimizerKind::kAdamW:
      return std::make_unique<optim::AdamW>(parameters,
                                            optim::AdamWOptions(rate).weight_decay(decay));
    case OptimizerKind::kRmsprop:
      return std::make_unique<optim::RMSprop>(parameters,
                                              optim::RMSpropOptions(rate).weight_decay(decay));
  }
  throw std::logic_error("unknown optimizer");
}

int numbers_kept_by(OptimizerKind kind) {
  switch (kind) {
    case OptimizerKind::kSgd:
      return 0;
    case OptimizerKind::kMomentum:
    case OptimizerKind::kRmsprop:
      return 1;
    case OptimizerKind::kAdam:
    case OptimizerKind::kAdamW:
      return 2;
  }
  throw std::logic_error("unknown optimizer");
}

void freeze(torch::nn::Module& model, const std::vector<std::string>& patterns) {
  for (const auto& pattern : patterns) {
    bool matched = false;
    for (auto& item : model.named_parameters()) {
      const bool inside = item.key().starts_with(pattern + ".");
      if (!inside && fnmatch(pattern.c_str(), item.key().c_str(), 0) != 0) continue;
      item.value().set_requires_grad(false);
      matched = true;
    }
    check_argument(matched, "no parameter matches the pattern '", pattern, "' to freeze");
  }
  for (const auto& parameter : model.parameters()) {
    if (parameter.requires_grad()) return;
  }
  throw InvalidArgument("every parameter is frozen: there is nothing to train");
}

}  // namespace sotto::train
