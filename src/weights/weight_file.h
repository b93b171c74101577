// Files of weights, whatever wrote them.
#pragma once

#include <filesystem>

#include "weights/stored_tensor.h"

namespace sotto::weights {

// From safetensors, a Python state_dict in the zip format of PyTorch 1.6 and later, or TorchScript,
// by what the file begins with. No code of others reads it. Throws FileError, or InvalidArgument
// with one line that names the file and what is wrong.
WeightFile read_weight_file(const std::filesystem::path& path);

// The same from memory; `name` is for messages.
WeightFile read_weight_bytes(std::string bytes, const std::string& name);

}  // namespace sotto::weights
