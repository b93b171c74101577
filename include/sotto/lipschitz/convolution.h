// Convolutions whose norm, as the linear maps they are, is held at 1.
#pragma once

#include <torch/nn/cloneable.h>
#include <torch/nn/pimpl.h>

#include <cstdint>

#include "sotto/lipschitz/dense.h"
#include "sotto/lipschitz/spectral_norm.h"

namespace sotto::lipschitz {

struct Conv2dOptions {
  std::int64_t inputs = 0;
  std::int64_t outputs = 0;
  std::int64_t kernel = 3;
  std::int64_t stride = 1;
  std::int64_t padding = 0;  // with zeros
  // Of the largest image: the norm depends on it.
  std::int64_t height = 0;
  std::int64_t width = 0;
  Constraint constraint = Constraint::kOrthogonal;
};

// y = conv2d(x, W/√r), where r is the number of windows that a pixel can lie in. The map's norm is
// at most 1 (convolution_norm_bound). A sample's gradient with respect to W is a product of its
// gradients and its windows, whose norm is at most √r‖x‖, divided by √r: at most ‖x‖‖g‖, whatever
// W is.
class Conv2dImpl : public torch::nn::Cloneable<Conv2dImpl>, public OneBranchLayer {
 public:
  // Throws InvalidArgument for sizes that do not fit, and for a Frobenius constraint.
  explicit Conv2dImpl(const Conv2dOptions& options);
  void reset() override;
  // (N, inputs, H, W). Throws InvalidArgument for images larger than the options say.
  at::Tensor forward(const at::Tensor& x);

  std::string kind() const override;
  double displacement(double input) const override;
  std::vector<ParameterBound> parameter_bounds_of(double input, double cotangent) const override;
  void project() override;

  double scale() const;  // 1/√r
  // Of the image that leaves it.
  std::int64_t output_height() const { return output_size(options.height); }
  std::int64_t output_width() const { return output_size(options.width); }

  Conv2dOptions options;
  at::Tensor weight;  // (outputs, inputs, kernel, kernel)

 private:
  double map_norm(Effort effort) const;
  std::int64_t output_size(std::int64_t input) const;
};
TORCH_MODULE(Conv2d);

}  // namespace sotto::lipschitz
