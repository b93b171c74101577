// Weights that Python saved.
#pragma once

#include <ATen/core/Tensor.h>

#include <map>
#include <string>

namespace sotto::train {

// The content of a file that torch.save(model.state_dict(), ...) wrote, in the zip format of
// PyTorch 1.6 and later; a plain dictionary from names to tensors is taken as well. Throws
// std::exception of whatever kind for anything else.
std::map<std::string, at::Tensor> read_state_dict(const std::string& bytes);

}  // namespace sotto::train
