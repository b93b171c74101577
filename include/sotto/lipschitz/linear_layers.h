// Linear layers, and convolutions as the linear maps they are, whose norm is held at 1.
#pragma once

#include <torch/nn/cloneable.h>
#include <torch/nn/pimpl.h>

#include <cstdint>
#include <string_view>

#include "sotto/lipschitz/bounded_layer.h"

namespace sotto::lipschitz {

enum class Effort;  // of bounding a norm; internal

// How the norm is held.
enum class Constraint {
  kOrthogonal,  // all singular values are brought to 1: gradients pass without loss
  kSpectral,    // scaled down where the largest singular value exceeds 1: quicker
  kFrobenius,   // scaled down where the Frobenius norm exceeds 1: quickest
};
std::string_view to_string(Constraint constraint);

struct LinearOptions {
  std::int64_t inputs = 0;
  std::int64_t outputs = 0;
  Constraint constraint = Constraint::kOrthogonal;
};

// y = W x with ‖W‖₂ <= 1. A sample's gradient is g xᵀ, of norm ‖g‖‖x‖.
class LinearImpl : public torch::nn::Cloneable<LinearImpl>, public OneBranchLayer {
 public:
  // Throws InvalidArgument unless both sizes are positive.
  explicit LinearImpl(const LinearOptions& options);
  void reset() override;
  at::Tensor forward(const at::Tensor& x);  // (N, inputs) -> (N, outputs)

  std::string kind() const override;
  double displacement(double input) const override;
  std::vector<ParameterBound> parameter_bounds_of(double input, double cotangent) const override;
  void project() override;

  LinearOptions options;
  at::Tensor weight;  // (outputs, inputs)
};
TORCH_MODULE(Linear);

// y = x + b with ‖b‖ <= limit. On images, b has one entry per channel, and every pixel gets b
// divided by the square root of the number of pixels: so that what is added has norm ‖b‖.
class BiasImpl : public torch::nn::Cloneable<BiasImpl>, public OneBranchLayer {
 public:
  // Throws InvalidArgument unless there are features and the limit is positive.
  BiasImpl(std::int64_t features, double limit);
  void reset() override;
  at::Tensor forward(const at::Tensor& x);  // (N, features) or (N, features, H, W)

  std::string kind() const override;
  double output_norm(double input) const override { return input + limit; }
  std::vector<ParameterBound> parameter_bounds_of(double input, double cotangent) const override;
  void project() override;

  std::int64_t features;
  double limit;
  at::Tensor bias;  // (features)
};
TORCH_MODULE(Bias);

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
// held at 1 or less, by a proven upper bound. A sample's gradient with respect to W is a product of
// its gradients and its windows, whose norm is at most √r‖x‖, divided by √r: at most ‖x‖‖g‖,
// whatever W is.
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
