// Lipschitz layers as TorchScript.
#pragma once

#include <torch/nn/module.h>

#include <string>

namespace sotto::train {

// The expression of one layer, in x; empty if the type is unknown.
std::string lipschitz_expression(const torch::nn::Module& module, const std::string& self);

}  // namespace sotto::train
