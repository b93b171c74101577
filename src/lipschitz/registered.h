// A layer's tensors are public, as in torch::nn: one that was assigned is not the one that is
// trained.
#pragma once

#include <torch/nn/module.h>

#include <string>

namespace sotto::lipschitz {

// Throws InvalidArgument unless `used` is the parameter registered under that name.
void require_registered(const torch::nn::Module& module, const std::string& name,
                        const at::Tensor& used);

}  // namespace sotto::lipschitz
