// What an optimizer remembers of its parameters, as tensors by name. LibTorch's own files of it
// differ between releases, and believe what they read.
#pragma once

#include <torch/optim/optimizer.h>

#include <string>

#include "weights/stored_tensor.h"

namespace sotto::train {

// "0.momentum_buffer" and the like behind the prefix, for the first parameter; its step count is a
// tensor without axes. Knows SGD, Adam, AdamW and RMSprop; throws std::logic_error for another.
void add_optimizer_state(const torch::optim::Optimizer& optimizer, const std::string& prefix,
                         weights::WeightFile& file);

// Takes back what add_optimizer_state() wrote. Throws InvalidArgument unless the tensors behind the
// prefix are those that the optimizer keeps, with their parameters' shapes.
void read_optimizer_state(const weights::WeightFile& file, const std::string& prefix,
                          torch::optim::Optimizer& optimizer);

// Whether everything that it remembers is there, and of its own parameters: after reading a file of
// another release, LibTorch may be left with states that are null.
bool remembers_own_parameters(const torch::optim::Optimizer& optimizer);

}  // namespace sotto::train
