#include "gan/slope.h"

#include <ATen/ATen.h>
#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>
#include <torch/utils.h>

namespace sotto::gan {
namespace {

namespace nn = torch::nn;
using at::Tensor;

bool is_plain(const nn::Conv2dImpl& layer) {
  const auto& options = layer.options;
  return options.groups() == 1 &&
         get_if<torch::enumtype::kZeros>(&options.padding_mode()) != nullptr &&
         get_if<torch::ExpandingArray<2>>(&options.padding()) != nullptr;
}

// The transpose of a convolution of maps `input` (n, C, h, w), applied to g (n, O, h', w').
Tensor transposed_convolution(const nn::Conv2dImpl& layer, const Tensor& input, const Tensor& g) {
  const auto& options = layer.options;
  const auto& padding = **get_if<torch::ExpandingArray<2>>(&options.padding());
  std::vector<std::int64_t> behind;  // pixels that no window's start reached
  for (std::size_t d = 0; d < 2; ++d) {
    const auto axis = static_cast<std::int64_t>(d) + 2;
    const auto covered = (g.size(axis) - 1) * (*options.stride())[d] - 2 * padding[d] +
                         (*options.dilation())[d] * ((*options.kernel_size())[d] - 1) + 1;
    behind.push_back(input.size(axis) - covered);
  }
  return at::conv_transpose2d(g, layer.weight, {}, *options.stride(), padding, behind,
                              /*groups=*/1, *options.dilation());
}

Tensor pulled_back(const nn::Module& layer, const Tensor& input, const Tensor& g) {
  if (const auto* linear = layer.as<nn::LinearImpl>()) return at::mm(g, linear->weight);
  if (const auto* conv = layer.as<nn::Conv2dImpl>()) return transposed_convolution(*conv, input, g);
  if (const auto* leaky = layer.as<nn::LeakyReLUImpl>()) {
    return g * at::where(input > 0, 1.0, leaky->options.negative_slope()).to(g.scalar_type());
  }
  if (layer.as<nn::ReLUImpl>() != nullptr) return g * (input > 0).to(g.scalar_type());
  return g.reshape(input.sizes());  // Flatten
}

}  // namespace

bool is_piecewise_linear(const torch::nn::Sequential& layers) {
  for (const auto& layer : layers->children()) {
    const auto* conv = layer->as<nn::Conv2dImpl>();
    const bool known =
        layer->as<nn::LinearImpl>() != nullptr || layer->as<nn::LeakyReLUImpl>() != nullptr ||
        layer->as<nn::ReLUImpl>() != nullptr || layer->as<nn::FlattenImpl>() != nullptr ||
        (conv != nullptr && is_plain(*conv));
    if (!known) return false;
  }
  return true;
}

LinearPieces::LinearPieces(torch::nn::Sequential layers, Tensor inputs)
    : layers_(std::move(layers)), output_(std::move(inputs)) {
  torch::NoGradGuard no_gradients;
  for (auto& layer : *layers_) {
    inputs_.push_back(output_);
    output_ = layer.forward(output_);
  }
}

Tensor LinearPieces::pull_back(Tensor gradient) const {
  const auto layers = layers_->children();
  for (std::size_t i = layers.size(); i-- > 0;) {
    gradient = pulled_back(*layers[i], inputs_[i], gradient);
  }
  return gradient;
}

}  // namespace sotto::gan
