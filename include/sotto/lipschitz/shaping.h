// Layers that bound, centre, reorder and clip, sample by sample.
#pragma once

#include <torch/nn/cloneable.h>
#include <torch/nn/pimpl.h>

#include <cstdint>
#include <vector>

#include "sotto/lipschitz/bounded_layer.h"

namespace sotto::lipschitz {

// Scales every sample of a larger norm down to `bound`. A sample that is not finite becomes zero:
// it cannot reach the others' gradient. The first layer of a network.
class InputBoundImpl : public torch::nn::Cloneable<InputBoundImpl>, public OneBranchLayer {
 public:
  // Throws InvalidArgument unless the bound is positive and finite.
  explicit InputBoundImpl(double bound);
  void reset() override {}
  at::Tensor forward(const at::Tensor& x);  // (N, ...)
  std::string kind() const override;
  double output_norm(double input) const override { return input < bound ? input : bound; }

  double bound;
};
TORCH_MODULE(InputBound);

// Takes the mean off: of each channel of an image over its pixels, of a vector over its entries.
class LayerCenteringImpl : public torch::nn::Cloneable<LayerCenteringImpl>, public OneBranchLayer {
 public:
  void reset() override {}
  at::Tensor forward(const at::Tensor& x);  // (N, C, H, W) or (N, features)
  std::string kind() const override { return "layer centering"; }
};
TORCH_MODULE(LayerCentering);

// (N, ...) -> (N, *sizes).
class ReshapeImpl : public torch::nn::Cloneable<ReshapeImpl>, public OneBranchLayer {
 public:
  explicit ReshapeImpl(std::vector<std::int64_t> sizes);
  void reset() override {}
  at::Tensor forward(const at::Tensor& x);
  std::string kind() const override { return "reshape"; }

  std::vector<std::int64_t> sizes;  // without the batch
};
TORCH_MODULE(Reshape);

// Reorders the axes behind the first; `order` counts from 1.
class PermuteImpl : public torch::nn::Cloneable<PermuteImpl>, public OneBranchLayer {
 public:
  // Throws InvalidArgument unless `order` holds 1 to n once each.
  explicit PermuteImpl(std::vector<std::int64_t> order);
  void reset() override {}
  at::Tensor forward(const at::Tensor& x);
  std::string kind() const override { return "permute"; }

  std::vector<std::int64_t> order;
};
TORCH_MODULE(Permute);

// Leaves values alone, and scales every sample's gradient of a larger norm down to `bound` on its
// way back. What comes before it is then trained on a gradient other than that of the loss.
class ClipGradientImpl : public torch::nn::Cloneable<ClipGradientImpl>, public OneBranchLayer {
 public:
  // Throws InvalidArgument unless the bound is positive and finite.
  explicit ClipGradientImpl(double bound);
  void reset() override {}
  at::Tensor forward(const at::Tensor& x);  // (N, ...)
  std::string kind() const override;
  double cotangent(double output) const override { return output < bound ? output : bound; }

  double bound;
};
TORCH_MODULE(ClipGradient);

// x, with gradients clipped to `bound` sample by sample.
at::Tensor with_clipped_gradient(const at::Tensor& x, double bound);

}  // namespace sotto::lipschitz
