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

// A Sequential that may be part of another: LibTorch's own has no forward() with fixed types.
class ChainImpl : public torch::nn::SequentialImpl {
 public:
  using SequentialImpl::SequentialImpl;
  torch::Tensor forward(const torch::Tensor& x) { return SequentialImpl::forward(x); }
  std::shared_ptr<torch::nn::Module> clone(
      const torch::optional<torch::Device>& device = torch::nullopt) const override;
};
TORCH_MODULE(Chain);

// Colours (N, 3, H, W) from -1..1 to what networks trained on ImageNet expect: from 0..1, less the
// mean of each channel, over its standard deviation. Public constants.
class ImageNetScaleImpl : public torch::nn::Cloneable<ImageNetScaleImpl> {
 public:
  void reset() override {}
  torch::Tensor forward(const torch::Tensor& x);

  static constexpr double kMean[] = {0.485, 0.456, 0.406};
  static constexpr double kDeviation[] = {0.229, 0.224, 0.225};
};
TORCH_MODULE(ImageNetScale);

}  // namespace sotto::models
