// Weights from files, as tensors of a network.
#pragma once

#include <torch/nn/module.h>

#include <filesystem>
#include <string>

#include "weights/weight_file.h"

namespace sotto::train {

// A copy of the stored numbers.
at::Tensor tensor_of(const weights::StoredTensor& stored);

// The other way: a copy without gaps. Throws InvalidArgument for a type that files do not hold.
weights::StoredTensor stored_of(const at::Tensor& tensor);

// Copies each parameter and buffer of the model from the tensor of its name (behind `prefix`).
// Throws InvalidArgument, naming `path`, unless all are there with their shapes, in floating point
// where the model's are, and no tensor is left over.
void copy_weights(const weights::WeightFile& file, torch::nn::Module& model,
                  const std::filesystem::path& path, const std::string& prefix = "");

}  // namespace sotto::train
