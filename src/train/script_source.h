// The forward pass of a Sequential of known layers, as TorchScript.
#pragma once

#include <torch/nn/modules/container/sequential.h>

#include <string>

namespace sotto::train {

// "def forward(self, x): ...", in which layer NAME's parameters are self.NAME.weight and
// self.NAME.bias. Throws std::runtime_error, naming it, for a layer that it does not know.
std::string script_source(const torch::nn::Sequential& model);

}  // namespace sotto::train
