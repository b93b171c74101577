#include "tests/lipschitz/ascent.h"

#include "tests/lipschitz/exact_norms.h"

namespace sotto::lipschitz {
namespace {

using torch::Tensor;

// Most of the way to the gradient's direction: power iteration, where the objective is a norm.
constexpr double kStride = 3;

Tensor moved(const Tensor& x, const Tensor& gradient) {
  const double norm = length_of(x);
  const double slope = gradient.defined() ? length_of(gradient) : 0;
  if (!(slope > 0) || !(norm > 0)) return x;
  const Tensor direction =
      x.to(torch::kDouble) / norm + kStride * gradient.to(torch::kDouble) / slope;
  return (direction * (norm / length_of(direction))).to(x.scalar_type());
}

}  // namespace

Ascent ascend(const Objective& objective, std::vector<Tensor> from, int steps) {
  Ascent best;
  for (int step = 0; step <= steps; ++step) {
    for (auto& x : from) x = x.detach().requires_grad_(true);
    const Tensor value = objective(from);
    if (value.item<double>() >= best.value) best = {value.item<double>(), from};
    if (!value.requires_grad()) break;
    const auto gradients = torch::autograd::grad({value}, from, {}, {}, false, true);
    for (std::size_t i = 0; i < from.size(); ++i) {
      from[i] = moved(from[i].detach(), gradients[i].defined() ? gradients[i].detach() : Tensor());
    }
  }
  return best;
}

Tensor random_of_norm(const std::vector<std::int64_t>& shape, double norm) {
  std::vector<std::int64_t> sizes{1};
  sizes.insert(sizes.end(), shape.begin(), shape.end());
  const Tensor direction = torch::randn(sizes, torch::kDouble);
  return (direction * (norm / length_of(direction))).to(torch::kFloat);
}

Ascent search(const Objective& objective, const std::vector<Searched>& tensors, int starts,
              int steps) {
  Ascent best;
  for (int start = 0; start < starts; ++start) {
    std::vector<Tensor> from;
    for (const auto& tensor : tensors) from.push_back(random_of_norm(tensor.shape, tensor.norm));
    const auto found = ascend(objective, from, steps);
    if (found.value >= best.value) best = found;
  }
  return best;
}

}  // namespace sotto::lipschitz
