// Weights in the files that PyTorch writes: a state_dict (torch.save), or TorchScript.
#pragma once

#include <memory>
#include <string>

#include "weights/stored_tensor.h"

namespace sotto::weights {

// The tensors of a dictionary, or of a TorchScript module and its children, named as PyTorch names
// them ("0.weight"); a module's own texts. Code in the file is not looked at. Throws
// InvalidArgument, saying what is wrong.
WeightFile read_python_weights(std::shared_ptr<const std::string> bytes);

}  // namespace sotto::weights
