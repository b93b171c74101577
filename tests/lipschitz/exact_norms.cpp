#include "tests/lipschitz/exact_norms.h"

namespace sotto::lipschitz {

double exact_norm(const torch::Tensor& matrix) {
  return torch::linalg_svdvals(matrix.detach().to(torch::kDouble)).max().item<double>();
}

double length_of(const torch::Tensor& tensor) {
  return tensor.detach().to(torch::kDouble).norm().item<double>();
}

torch::Tensor matrix_of(const SampleMap& map, const std::vector<std::int64_t>& shape) {
  torch::NoGradGuard no_gradients;
  std::vector<std::int64_t> sizes{-1};
  sizes.insert(sizes.end(), shape.begin(), shape.end());
  const auto values = torch::ones(shape).numel();
  return map(torch::eye(values, torch::kDouble).reshape(sizes)).reshape({values, -1}).t();
}

double exact_norm(const Conv2dImpl& conv) {
  const auto& o = conv.options;
  const torch::Tensor kernel = conv.weight.detach().to(torch::kDouble) * conv.scale();
  const auto map = [&](const torch::Tensor& x) {
    return torch::conv2d(x, kernel, {}, o.stride, o.padding);
  };
  return exact_norm(matrix_of(map, {o.inputs, o.height, o.width}));
}

}  // namespace sotto::lipschitz
