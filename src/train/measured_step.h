// One training step as a function to call: what benchmarks time and `sotto memory` watches.
#pragma once

#include <torch/optim/optimizer.h>

#include <functional>
#include <memory>

#include "sotto/engine/privacy_engine.h"
#include "train/step_path.h"
#include "train/workload.h"

namespace sotto::train {

using OptimizerMaker =
    std::function<std::unique_ptr<torch::optim::Optimizer>(const torch::nn::Module& module)>;
// Plain SGD over the trained parameters.
std::unique_ptr<torch::optim::Optimizer> make_sgd(const torch::nn::Module& module);

struct StepOptions {
  OptimizerMaker optimizer = make_sgd;
  // Called when the losses are there; fused kernels do not stop for it.
  std::function<void()> after_forward = [] {};
  // Called after a step of a PrivacyEngine, with the time its parts have taken so far.
  std::function<void(const StepSeconds&)> after_private_step = [](const StepSeconds&) {};
};

// Each call makes one step: gradients, noise where it is private, optimizer. Null if the network
// cannot take the path, or not at this batch size. The workload must outlive it.
std::function<void()> make_step(StepPath path, Workload& workload, const StepOptions& options = {});

}  // namespace sotto::train
