// Layers without parameters: what bounds, centres, reorders and clips, sample by sample;
// activation; pooling.
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

// Subtracts the mean: of each channel of an image over its pixels, of a vector over its entries.
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

// Sorts the features (channels) of each group in falling order: a permutation, so that no norm
// changes on either way. Groups of two are MaxMin.
class GroupSortImpl : public torch::nn::Cloneable<GroupSortImpl>, public OneBranchLayer {
 public:
  // Throws InvalidArgument unless group >= 2.
  explicit GroupSortImpl(std::int64_t group = 2);
  void reset() override {}
  at::Tensor forward(const at::Tensor& x);  // (N, features, ...), a multiple of the group
  std::string kind() const override;

  std::int64_t group;
};
TORCH_MODULE(GroupSort);

// The pools do not overlap.

// The Euclidean norm of each window of size x size pixels, one after another: keeps ‖x‖ exactly.
// Pixels beyond the last whole window are left out.
class L2NormPool2dImpl : public torch::nn::Cloneable<L2NormPool2dImpl>, public OneBranchLayer {
 public:
  explicit L2NormPool2dImpl(std::int64_t size = 2);
  void reset() override {}
  at::Tensor forward(const at::Tensor& x);  // (N, C, H, W) -> (N, C, H/size, W/size)
  std::string kind() const override;

  std::int64_t size;
};
TORCH_MODULE(L2NormPool2d);

// The Euclidean norm of each channel.
class GlobalL2NormPool2dImpl : public torch::nn::Cloneable<GlobalL2NormPool2dImpl>,
                               public OneBranchLayer {
 public:
  void reset() override {}
  at::Tensor forward(const at::Tensor& x);  // (N, C, H, W) -> (N, C)
  std::string kind() const override { return "global L2-norm pool"; }
};
TORCH_MODULE(GlobalL2NormPool2d);

// The sum of each window divided by its size (the root of its number of pixels).
class ScaledAvgPool2dImpl : public torch::nn::Cloneable<ScaledAvgPool2dImpl>,
                            public OneBranchLayer {
 public:
  explicit ScaledAvgPool2dImpl(std::int64_t size = 2);
  void reset() override {}
  at::Tensor forward(const at::Tensor& x);  // (N, C, H, W) -> (N, C, H/size, W/size)
  std::string kind() const override;

  std::int64_t size;
};
TORCH_MODULE(ScaledAvgPool2d);

}  // namespace sotto::lipschitz
