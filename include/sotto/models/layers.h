// Layers that LibTorch lacks: plain modules, of use in any Sequential.
#pragma once

#include <torch/nn/cloneable.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/pimpl.h>

namespace sotto::models {

// scale · sigmoid(temperature · x) - offset. Bounded activations keep gradients small, so that
// clipping takes less away (arXiv:2007.14191); (2, 2, 1) is tanh.
struct TemperedSigmoidOptions {
  double scale = 2;
  double temperature = 2;
  double offset = 1;
};

class TemperedSigmoidImpl : public torch::nn::Cloneable<TemperedSigmoidImpl> {
 public:
  explicit TemperedSigmoidImpl(const TemperedSigmoidOptions& options = {}) : options(options) {}
  void reset() override {}
  torch::Tensor forward(const torch::Tensor& x);

  TemperedSigmoidOptions options;
};
TORCH_MODULE(TemperedSigmoid);

// body(x) + shortcut(x); without a shortcut, body(x) + x.
class ResidualImpl : public torch::nn::Cloneable<ResidualImpl> {
 public:
  explicit ResidualImpl(torch::nn::Sequential body, torch::nn::Sequential shortcut = nullptr);
  void reset() override {}
  torch::Tensor forward(const torch::Tensor& x);

  torch::nn::Sequential body;
  torch::nn::Sequential shortcut;  // may be empty
};
TORCH_MODULE(Residual);

}  // namespace sotto::models
