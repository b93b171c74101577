// Activations that keep norms.
#pragma once

#include <torch/nn/cloneable.h>
#include <torch/nn/pimpl.h>

#include <cstdint>

#include "sotto/lipschitz/bounded_layer.h"

namespace sotto::lipschitz {

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

}  // namespace sotto::lipschitz
