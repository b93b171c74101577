// Norms by singular value decomposition, in double: slow, and beyond doubt.
#pragma once

#include <torch/torch.h>

#include <functional>
#include <vector>

#include "sotto/lipschitz/linear_layers.h"

namespace sotto::lipschitz {

// ‖M‖₂ of a matrix.
double exact_norm(const torch::Tensor& matrix);

// ‖t‖ of all entries.
double length_of(const torch::Tensor& tensor);

// A linear map of one sample, as a matrix (outputs, inputs): what it makes of every basis vector.
using SampleMap = std::function<torch::Tensor(const torch::Tensor&)>;
torch::Tensor matrix_of(const SampleMap& map, const std::vector<std::int64_t>& shape);

// The norm of what a convolution does to images of its options' size.
double exact_norm(const Conv2dImpl& conv);

}  // namespace sotto::lipschitz
