// Searches for the worst case by gradient ascent on spheres.
#pragma once

#include <torch/torch.h>

#include <functional>
#include <vector>

namespace sotto::lipschitz {

// A number to make large, of tensors (1, ...); differentiable.
using Objective = std::function<torch::Tensor(const std::vector<torch::Tensor>&)>;

struct Ascent {
  double value = 0;                    // the largest seen
  std::vector<torch::Tensor> at = {};  // where
};

// From these tensors on, each of which keeps its norm.
Ascent ascend(const Objective& objective, std::vector<torch::Tensor> from, int steps);

// Of this norm, in a random direction: (1, *shape).
torch::Tensor random_of_norm(const std::vector<std::int64_t>& shape, double norm);

// The largest of `starts` ascents from random tensors of these shapes and norms.
struct Searched {
  std::vector<std::int64_t> shape;
  double norm;
};
Ascent search(const Objective& objective, const std::vector<Searched>& tensors, int starts,
              int steps);

}  // namespace sotto::lipschitz
