#include "sotto/lipschitz/fixed_layers.h"

#include <ATen/ATen.h>
#include <c10/util/Type.h>
#include <torch/csrc/autograd/custom_function.h>

#include <typeinfo>

#include <cmath>
#include <sstream>

#include "grad/own_functions.h"
#include "grad/sample_major.h"
#include "lipschitz/rounding.h"
#include "sotto/core/error.h"

namespace sotto::lipschitz {
namespace {

using at::Tensor;

std::string text_of(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

// Norm of each sample, in double: (N, 1, ..., 1). LibTorch's, which has a derivative, makes a copy
// of all numbers in double.
Tensor sample_norms(const Tensor& x) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(x.dim()), 1);
  sizes[0] = x.size(0);
  const bool differentiated = at::GradMode::is_enabled() && x.requires_grad();
  return (differentiated
              ? at::linalg_vector_norm(x.flatten(1), 2, at::IntArrayRef{1}, false, at::kDouble)
              : grad::squared_norm_of_rows(x).sqrt())
      .reshape(sizes);
}

// Every sample scaled down to norm `bound`, given their norms; zero where it is not finite, or so
// large that its factor is none in float.
Tensor scaled_down(const Tensor& x, const Tensor& norms, double bound) {
  constexpr double kLeastFactor = 1e-30;
  // No way around it where nobody is scaled down: what follows is rounded by where its input lies.
  const Tensor factors = (bound * kBelow / norms.clamp_min(1e-300)).clamp_max(1);
  const Tensor usable = norms.isfinite().logical_and(factors >= kLeastFactor);
  return at::where(usable, x * factors.to(x.scalar_type()), at::zeros({}, x.options()));
}

class ClippedGradient : public torch::autograd::Function<ClippedGradient> {
 public:
  static Tensor forward(torch::autograd::AutogradContext* context, const Tensor& x, double bound) {
    context->saved_data["bound"] = bound;
    return x.view_as(x);
  }

  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               const torch::autograd::tensor_list& gradients) {
    const double bound = context->saved_data["bound"].toDouble();
    return {scaled_down(gradients[0], sample_norms(gradients[0]), bound), Tensor()};
  }
};

[[maybe_unused]] const bool kClippedGradientDeclared = grad::declare_sample_by_sample(
    "CppNode<" + c10::demangle(typeid(ClippedGradient).name()) + '>');

}  // namespace

InputBoundImpl::InputBoundImpl(double the_bound) : bound(the_bound) {
  check_argument(bound > 0 && std::isfinite(bound), "an input bound must be positive, got ", bound);
}

Tensor InputBoundImpl::forward(const Tensor& x) { return scaled_down(x, sample_norms(x), bound); }

std::string InputBoundImpl::kind() const { return "input bound " + text_of(bound); }

Tensor LayerCenteringImpl::forward(const Tensor& x) {
  check_argument(x.dim() == 2 || x.dim() == 4, "centering takes vectors or images, got ", x.dim(),
                 " axes");
  const std::vector<std::int64_t> own =
      x.dim() == 4 ? std::vector<std::int64_t>{2, 3} : std::vector<std::int64_t>{1};
  return x - x.mean(own, /*keepdim=*/true);
}

ReshapeImpl::ReshapeImpl(std::vector<std::int64_t> the_sizes) : sizes(std::move(the_sizes)) {
  for (const auto size : sizes) {
    check_argument(size > 0, "a sample's sizes must be positive, got ", size);
  }
}

Tensor ReshapeImpl::forward(const Tensor& x) {
  auto whole = sizes;
  whole.insert(whole.begin(), x.size(0));
  return x.reshape(whole);
}

PermuteImpl::PermuteImpl(std::vector<std::int64_t> the_order) : order(std::move(the_order)) {
  for (std::size_t axis = 1; axis <= order.size(); ++axis) {
    check_argument(std::count(order.begin(), order.end(), static_cast<std::int64_t>(axis)) == 1,
                   "a permutation holds the axes 1 to ", order.size(), " once each");
  }
}

Tensor PermuteImpl::forward(const Tensor& x) {
  auto whole = order;
  whole.insert(whole.begin(), 0);
  return x.permute(whole);
}

ClipGradientImpl::ClipGradientImpl(double the_bound) : bound(the_bound) {
  check_argument(bound > 0 && std::isfinite(bound), "a gradient's bound must be positive, got ",
                 bound);
}

Tensor ClipGradientImpl::forward(const Tensor& x) { return with_clipped_gradient(x, bound); }

std::string ClipGradientImpl::kind() const { return "clip gradient " + text_of(bound); }

Tensor with_clipped_gradient(const Tensor& x, double bound) {
  return ClippedGradient::apply(x, bound);
}

}  // namespace sotto::lipschitz
