// The optimizers by name, and freezing of parameters by pattern.
#pragma once

#include <torch/nn/module.h>
#include <torch/optim/optimizer.h>

#include <memory>

#include "sotto/train/trainer.h"

namespace sotto::train {

// Over the model's trainable parameters.
std::unique_ptr<torch::optim::Optimizer> make_optimizer(const torch::nn::Module& model,
                                                        const TrainingConfig& config);

// Numbers that it keeps beside each parameter from step to step.
int numbers_kept_by(OptimizerKind kind);

// Makes the parameters whose names match a pattern, or lie inside the layer it names, untrainable.
// Throws InvalidArgument for a pattern that matches nothing, and if nothing is left to train.
void freeze(torch::nn::Module& model, const std::vector<std::string>& patterns);

}  // namespace sotto::train
