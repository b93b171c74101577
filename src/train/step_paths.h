// The ways to make one training step.
#pragma once

#include <torch/optim/optimizer.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sotto/engine/privacy_engine.h"
#include "train/works.h"

namespace sotto::train {

// plain             LibTorch without privacy
// materialised      every per-sample gradient written out, then clipped: as Opacus' hooks do
// graph             PrivacyEngine on the autograd graph
// fused             PrivacyEngine with fused kernels
// fused-nonprivate  fused kernels without privacy
const std::vector<std::string>& path_names();

using OptimizerMaker =
    std::function<std::shared_ptr<torch::optim::Optimizer>(const torch::nn::Module& module)>;
// Plain SGD over the trained parameters.
std::shared_ptr<torch::optim::Optimizer> make_sgd(const torch::nn::Module& module);

struct PathOptions {
  OptimizerMaker optimizer = make_sgd;
  // Called when the losses are there; fused kernels do not stop for it.
  std::function<void()> after_forward = [] {};
  // Called after a step of a PrivacyEngine, with what its parts have taken so far.
  std::function<void(const StepSeconds&)> after_private_step = [](const StepSeconds&) {};
};

// One call is one step: gradients, noise where it is private, optimizer. Null if the network cannot
// take that path. The work must outlive it.
std::function<void()> make_path(const std::string& name, Work& work,
                                const PathOptions& options = {});

}  // namespace sotto::train
