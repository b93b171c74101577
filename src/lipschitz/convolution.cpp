#include "sotto/lipschitz/linear_layers.h"

#include <ATen/ATen.h>
#include <torch/nn/init.h>

#include <algorithm>
#include <cmath>

#include "lipschitz/registered.h"
#include "lipschitz/spectral_norm.h"
#include "sotto/core/error.h"

namespace sotto::lipschitz {

Conv2dImpl::Conv2dImpl(const Conv2dOptions& the_options) : options(the_options) {
  const auto& o = options;
  check_argument(o.inputs > 0 && o.outputs > 0 && o.kernel > 0 && o.stride > 0 && o.padding >= 0,
                 "a convolution's channels, kernel and stride must be positive");
  check_argument(o.padding < o.kernel, "a convolution's padding ", o.padding,
                 " must be below its kernel's size ", o.kernel);
  check_argument(output_height() > 0 && output_width() > 0, "images of ", o.height, "x", o.width,
                 " pixels are smaller than the convolution's kernel");
  check_argument(o.constraint != Constraint::kFrobenius,
                 "a convolution is held by its norm as a map: spectral or orthogonal");
  reset();
}

void Conv2dImpl::reset() {
  const auto& o = options;
  weight = register_parameter("weight", at::empty({o.outputs, o.inputs, o.kernel, o.kernel}));
  c10::NoGradGuard no_gradients;
  at::Tensor flat = at::empty({o.outputs, o.inputs * o.kernel * o.kernel});
  torch::nn::init::orthogonal_(flat);
  weight.copy_(flat.reshape(weight.sizes()));
  project();
}

std::int64_t Conv2dImpl::output_size(std::int64_t input) const {
  return (input + 2 * options.padding - options.kernel) / options.stride + 1;
}

double Conv2dImpl::scale() const {
  return 1 / std::sqrt(static_cast<double>(window_overlap(options.kernel, options.stride)));
}

at::Tensor Conv2dImpl::forward(const at::Tensor& x) {
  check_argument(x.dim() == 4 && x.size(2) <= options.height && x.size(3) <= options.width,
                 "the convolution's bound holds for images of at most ", options.height, "x",
                 options.width, " pixels");
  return at::conv2d(x, weight * scale(), {}, options.stride, options.padding);
}

std::string Conv2dImpl::kind() const {
  const auto& o = options;
  return std::string(lipschitz::to_string(o.constraint)) + " conv " + std::to_string(o.inputs) +
         " -> " + std::to_string(o.outputs) + ", " + std::to_string(o.kernel) + "x" +
         std::to_string(o.kernel) + (o.stride > 1 ? " stride " + std::to_string(o.stride) : "");
}

std::vector<ParameterBound> Conv2dImpl::parameter_bounds_of(double input, double cotangent) const {
  require_registered(*this, "weight", weight);
  return {{"weight", input * cotangent}};
}

double Conv2dImpl::map_norm(Effort effort) const {
  const auto& o = options;
  return scale() * convolution_norm_bound(weight, {o.stride, o.padding, o.height, o.width}, effort);
}

double Conv2dImpl::displacement(double input) const { return input * map_norm(Effort::kSharp); }

void Conv2dImpl::project() {
  c10::NoGradGuard no_gradients;
  const bool orthogonal = options.constraint == Constraint::kOrthogonal;
  if (orthogonal) {
    const at::Tensor flat = weight.reshape({options.outputs, -1});
    weight.copy_(orthogonalised(flat).reshape(weight.sizes()));
  }
  const double norm = map_norm(Effort::kQuick);
  require_finite_norm(norm, kind());
  // Orthogonal rows leave the map smaller than it may be.
  if (orthogonal || norm > 1) weight.div_(std::max(norm, 1e-6));
}

}  // namespace sotto::lipschitz
