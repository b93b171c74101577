#include "sotto/lipschitz/linear_layers.h"

#include <ATen/ATen.h>
#include <torch/nn/init.h>

#include <algorithm>
#include <cmath>

#include "lipschitz/registered.h"
#include "lipschitz/spectral_norm.h"
#include "sotto/core/error.h"

namespace sotto::lipschitz {

std::string_view to_string(Constraint constraint) {
  switch (constraint) {
    case Constraint::kOrthogonal:
      return "orthogonal";
    case Constraint::kSpectral:
      return "spectral";
    case Constraint::kFrobenius:
      return "Frobenius";
  }
  return "";
}

LinearImpl::LinearImpl(const LinearOptions& the_options) : options(the_options) {
  check_argument(options.inputs > 0 && options.outputs > 0, "a linear layer from ", options.inputs,
                 " to ", options.outputs, " values: both must be positive");
  reset();
}

void LinearImpl::reset() {
  weight = register_parameter("weight", at::empty({options.outputs, options.inputs}));
  torch::nn::init::orthogonal_(weight);
  project();
}

at::Tensor LinearImpl::forward(const at::Tensor& x) { return at::linear(x, weight); }

std::string LinearImpl::kind() const {
  return std::string(lipschitz::to_string(options.constraint)) + " linear " +
         std::to_string(options.inputs) + " -> " + std::to_string(options.outputs);
}

double LinearImpl::displacement(double input) const {
  return input * spectral_norm_bound(weight, Effort::kSharp);
}

// ‖g xᵀ‖ = ‖g‖‖x‖.
std::vector<ParameterBound> LinearImpl::parameter_bounds_of(double input, double cotangent) const {
  require_registered(*this, "weight", weight);
  return {{"weight", input * cotangent}};
}

void LinearImpl::project() {
  c10::NoGradGuard no_gradients;
  if (options.constraint == Constraint::kOrthogonal) weight.copy_(orthogonalised(weight));
  const double norm = options.constraint == Constraint::kFrobenius
                          ? weight.to(at::kDouble).norm().item<double>()
                          : spectral_norm_bound(weight);
  require_finite_norm(norm, kind());
  weight.div_(std::max(1.0, norm));
}

BiasImpl::BiasImpl(std::int64_t the_features, double the_limit)
    : features(the_features), limit(the_limit) {
  check_argument(features > 0, "a bias needs features, got ", features);
  check_argument(limit > 0 && std::isfinite(limit), "the limit of a bias must be positive, got ",
                 limit);
  reset();
}

void BiasImpl::reset() { bias = register_parameter("bias", at::zeros({features})); }

at::Tensor BiasImpl::forward(const at::Tensor& x) {
  check_argument(x.dim() >= 2 && x.size(1) == features, "a bias of ", features,
                 " features does not fit inputs of shape ", x.sizes());
  if (x.dim() == 2) return x + bias;
  check_argument(x.dim() == 4, "a bias takes vectors or images, got ", x.dim(), " axes");
  const auto pixels = static_cast<double>(x.size(2) * x.size(3));
  return x + (bias / std::sqrt(pixels)).reshape({1, -1, 1, 1});
}

std::string BiasImpl::kind() const { return "bias of " + std::to_string(features); }

// Vectors: g. Images: the sum over pixels of g / √pixels, of norm at most ‖g‖.
std::vector<ParameterBound> BiasImpl::parameter_bounds_of(double /*input*/,
                                                          double cotangent) const {
  require_registered(*this, "bias", bias);
  return {{"bias", cotangent}};
}

void BiasImpl::project() {
  c10::NoGradGuard no_gradients;
  const auto norm = bias.to(at::kDouble).norm().item<double>();
  require_finite_norm(norm, kind());
  bias.div_(std::max(1.0, norm / limit));
}

}  // namespace sotto::lipschitz
