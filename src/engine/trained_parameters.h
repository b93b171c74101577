// The parameters that an optimizer moves, and that the engine must therefore noise.
#pragma once

#include <torch/nn/module.h>
#include <torch/optim/optimizer.h>

#include <cstdint>
#include <vector>

#include "sotto/grad/grad.h"

namespace sotto {

// The optimizer's trainable parameters, by the model's names. Throws InvalidArgument for one that
// is not the model's, is there twice or is neither float nor double, and if there is none.
std::vector<grad::NamedParameter> trained_parameters(const torch::nn::Module& model,
                                                     torch::optim::Optimizer& optimizer);

// The layer of each parameter, counted from 0: parameters of one module form a layer.
std::vector<std::int64_t> layers_of(const std::vector<grad::NamedParameter>& parameters);

// The optimizer moves every parameter that has a gradient. One that is not among `noised`, because
// it was frozen or not there when the engine was made, must have none: takes its gradient away, or
// throws InvalidArgument if it is trainable by now.
void forbid_other_gradients(torch::optim::Optimizer& optimizer,
                            const std::vector<grad::NamedParameter>& noised);

}  // namespace sotto
