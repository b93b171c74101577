// Pooling without overlap, 1-Lipschitz.
#pragma once

#include <torch/nn/cloneable.h>
#include <torch/nn/pimpl.h>

#include <cstdint>

#include "sotto/lipschitz/bounded_layer.h"

namespace sotto::lipschitz {

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
