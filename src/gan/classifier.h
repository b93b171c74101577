// An ordinary classifier, for judging data by what can be learnt from them.
#pragma once

#include <torch/nn/modules/container/sequential.h>

#include <cstdint>
#include <string>

#include "train/tensor_data.h"

namespace sotto::gan {

// "cnn" for images of at least 14 x 14 pixels, "mlp" for anything else.
std::string classifier_name(const std::vector<std::int64_t>& sample_shape);

// Trains with Adam, batches of 128, a learning rate that falls to zero; nothing is private about
// it. No data are used to choose anything.
torch::nn::Sequential train_classifier(const train::TensorData& data,
                                       const std::vector<std::int64_t>& sample_shape,
                                       std::int64_t classes, std::int64_t epochs);

// (n, classes): probabilities.
at::Tensor probabilities(torch::nn::Sequential classifier, const at::Tensor& inputs);

double accuracy(torch::nn::Sequential classifier, const train::TensorData& data);

}  // namespace sotto::gan
