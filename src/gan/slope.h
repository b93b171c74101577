// The slope of a piecewise-linear network with respect to its input, as a function of its weights.
//
// LibTorch's way, a backward pass that is recorded, also records how the slope depends on every
// activation; where layers are linear but for kinks it does not, and the pass over that record is
// spent on zeros. Here the slope is written out: from the output to the input, each layer's
// transpose, with the kinks' factors as constants. (For its gradient, every weight then has one
// pair of backprop and tangent a sample more: docs/architecture.md.)
#pragma once

#include <torch/nn/modules/container/sequential.h>

#include <optional>
#include <vector>

namespace sotto::gan {

// True if every layer is Linear, Conv2d (zero padding, one group), ReLU, LeakyReLU or Flatten.
bool is_piecewise_linear(const torch::nn::Sequential& layers);

// One run through such layers, and its way back.
class LinearPieces {
 public:
  // Runs `inputs` (n, ...) through the layers without recording anything.
  LinearPieces(torch::nn::Sequential layers, at::Tensor inputs);
  const at::Tensor& output() const { return output_; }

  // The gradient of the inputs from that of the output; differentiable with respect to the weights
  // and to `gradient`.
  at::Tensor pull_back(at::Tensor gradient) const;

 private:
  torch::nn::Sequential layers_;
  std::vector<at::Tensor> inputs_;  // of each layer
  at::Tensor output_;
};

}  // namespace sotto::gan
