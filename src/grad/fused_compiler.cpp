#include "grad/fused_compiler.h"

#include <torch/nn/modules/activation.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/dropout.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/normalization.h>
#include <torch/nn/modules/pooling.h>

#include <typeinfo>

#include "grad/fused_geometry.h"
#include "models/layers.h"

namespace sotto::grad {
namespace {

namespace nn = torch::nn;

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw NotFused("layer '" + name + "' " + why);
}

// The module as a Layer; null also for a class derived from it, whose forward() may do anything.
template <typename Layer>
const Layer* exactly(const nn::Module& module) {
  return typeid(module) == typeid(Layer) ? module.as<Layer>() : nullptr;
}

fused::Shape sample_shape(const std::vector<std::int64_t>& sizes) {
  if (sizes.size() == 1) return {1, 1, sizes[0]};
  if (sizes.size() == 3) return {sizes[1], sizes[2], sizes[0]};
  throw NotFused("samples have " + std::to_string(sizes.size()) +
                 " dimensions; fused kernels take rows and images");
}

}  // namespace

FusedCompiler::FusedCompiler(const std::vector<std::int64_t>& sizes,
                             std::vector<NamedParameter> trained)
    : network_(sample_shape(sizes)),
      flat_(sizes.size() == 1),
      trained_(std::move(trained)),
      used_(trained_.size(), false) {}

void FusedCompiler::add(const nn::Sequential& model, const std::string& prefix) {
  for (const auto& child : model->named_children()) {
    add_module(*child.value(), prefix + child.key());
  }
}

std::vector<at::Tensor> FusedCompiler::finish() {
  std::vector<at::Tensor> all;
  for (std::size_t i = 0; i < trained_.size(); ++i) {
    if (!used_[i]) throw NotFused("no layer uses parameter '" + trained_[i].name + "'");
    all.push_back(trained_[i].tensor);
  }
  all.insert(all.end(), frozen_.begin(), frozen_.end());
  for (const auto& tensor : all) {
    if (tensor.scalar_type() != at::kFloat || !tensor.device().is_cpu() ||
        !tensor.is_contiguous()) {
      throw NotFused("a parameter is not a contiguous float tensor on the CPU");
    }
  }
  if (!flat_) throw NotFused("the model's output is not one row per sample");
  return all;
}

void FusedCompiler::add_module(const nn::Module& module, const std::string& name) {
  if (add_weighted(module, name) || add_pooling(module, name) || add_activation(module, name) ||
      add_container(module, name)) {
    return;
  }
  refuse(name, "(" + module.name() + ") has no fused kernel");
}

void FusedCompiler::require_image(const std::string& name) const {
  if (flat_) refuse(name, "expects images, but gets rows");
}

void FusedCompiler::require_flat(const std::string& name) const {
  if (!flat_) refuse(name, "works on the last axis of an image, which has no fused kernel");
}

// A parameter's number; one that is used by two layers has no place of its own.
fused::Parameter FusedCompiler::number(const at::Tensor& tensor, const std::string& name) {
  if (!tensor.defined()) return {};
  for (std::size_t i = 0; i < trained_.size(); ++i) {
    if (!trained_[i].tensor.is_same(tensor)) continue;
    if (used_[i]) refuse(name, "shares parameter '" + trained_[i].name + "' with another layer");
    used_[i] = true;
    return {static_cast<int>(i), true};
  }
  frozen_.push_back(tensor);
  return {static_cast<int>(trained_.size() + frozen_.size() - 1), false};
}

bool FusedCompiler::add_weighted(const nn::Module& module, const std::string& name) {
  if (const auto* linear = exactly<nn::LinearImpl>(module)) {
    require_flat(name);
    if (linear->options.in_features() != network_.shape().size()) {
      refuse(name, "expects " + std::to_string(linear->options.in_features()) + " features, gets " +
                       std::to_string(network_.shape().size()));
    }
    network_.add_linear(linear->options.out_features(), number(linear->weight, name),
                        number(linear->bias, name));
  } else if (const auto* convolution = exactly<nn::Conv2dImpl>(module)) {
    require_image(name);
    const auto options = convolution_options(*convolution, network_.shape());
    if (!options) refuse(name, "has padding or sizes for which there is no fused kernel");
    network_.add_convolution(*options, number(convolution->weight, name),
                             number(convolution->bias, name));
  } else if (const auto* group = exactly<nn::GroupNormImpl>(module)) {
    const auto& shape = network_.shape();
    if (group->options.num_channels() != shape.channels) refuse(name, "expects other channels");
    network_.add_normalisation(
        {{shape.pixels(), shape.channels}, group->options.num_groups(), group->options.eps()},
        number(group->weight, name), number(group->bias, name));
  } else if (exactly<nn::LayerNormImpl>(module) != nullptr) {
    add_layer_norm(module, name);
  } else {
    return false;
  }
  return true;
}

void FusedCompiler::add_layer_norm(const nn::Module& module, const std::string& name) {
  const auto& layer = *exactly<nn::LayerNormImpl>(module);
  const auto& shape = network_.shape();
  const std::vector<std::int64_t> whole =
      flat_ ? std::vector<std::int64_t>{shape.channels}
            : std::vector<std::int64_t>{shape.channels, shape.height, shape.width};
  if (layer.options.normalized_shape() != whole) {
    refuse(name, "normalises a part of a sample, for which there is no fused kernel");
  }
  fused::NormalisationOptions options{{1, shape.size()}, 1, layer.options.eps()};
  for (std::int64_t i = 0; i < shape.size(); ++i) {
    options.parameter_index.push_back(
        static_cast<std::int32_t>(i % shape.channels * shape.pixels() + i / shape.channels));
  }
  network_.add_normalisation(std::move(options), number(layer.weight, name),
                             number(layer.bias, name));
}

bool FusedCompiler::add_pooling(const nn::Module& module, const std::string& name) {
  const auto fitting = [&](const std::optional<fused::PoolingWindows>& windows) {
    require_image(name);
    if (!windows) refuse(name, "has windows for which there is no fused kernel");
    return *windows;
  };
  const auto& shape = network_.shape();
  if (const auto* max = exactly<nn::MaxPool2dImpl>(module)) {
    network_.add_max_pooling(fitting(pooling_windows(*max, shape)));
  } else if (const auto* average = exactly<nn::AvgPool2dImpl>(module)) {
    network_.add_average_pooling(fitting(pooling_windows(*average, shape)));
  } else if (const auto* adaptive_max = exactly<nn::AdaptiveMaxPool2dImpl>(module)) {
    network_.add_max_pooling(fitting(adaptive_windows(adaptive_max->options.output_size(), shape)));
  } else if (const auto* adaptive = exactly<nn::AdaptiveAvgPool2dImpl>(module)) {
    network_.add_average_pooling(fitting(adaptive_windows(adaptive->options.output_size(), shape)));
  } else {
    return false;
  }
  return true;
}

bool FusedCompiler::add_activation(const nn::Module& module, const std::string& name) {
  using Kind = fused::ActivationKind;
  fused::Activation function;
  if (exactly<nn::ReLUImpl>(module) != nullptr) {
    function.kind = Kind::kRelu;
  } else if (const auto* leaky = exactly<nn::LeakyReLUImpl>(module)) {
    // From a slope of 0 or below the input cannot be told from the output.
    if (!(leaky->options.negative_slope() > 0)) refuse(name, "has a slope that is not positive");
    function.kind = Kind::kLeakyRelu;
    function.slope = static_cast<float>(leaky->options.negative_slope());
  } else if (exactly<nn::TanhImpl>(module) != nullptr) {
    function.kind = Kind::kTanh;
  } else if (exactly<nn::SigmoidImpl>(module) != nullptr) {
    function.kind = Kind::kTemperedSigmoid;
  } else if (const auto* tempered = exactly<models::TemperedSigmoidImpl>(module)) {
    if (tempered->options.scale == 0) refuse(name, "has scale 0");
    function.kind = Kind::kTemperedSigmoid;
    function.scale = static_cast<float>(tempered->options.scale);
    function.temperature = static_cast<float>(tempered->options.temperature);
    function.offset = static_cast<float>(tempered->options.offset);
  } else if (exactly<nn::SELUImpl>(module) != nullptr) {
    function.kind = Kind::kSelu;
  } else if (const auto* gelu = exactly<nn::GELUImpl>(module)) {
    function.kind = gelu->options.approximate() == "tanh" ? Kind::kGeluTanh : Kind::kGelu;
  } else {
    return false;
  }
  network_.add_activation(function);
  return true;
}

void FusedCompiler::add_flatten(const nn::Module& module, const std::string& name) {
  const auto& options = exactly<nn::FlattenImpl>(module)->options;
  const std::int64_t last = flat_ ? 1 : 3;
  if (options.start_dim() != 1 || (options.end_dim() != -1 && options.end_dim() != last)) {
    refuse(name, "flattens some dimensions only");
  }
  network_.add_flatten();
  flat_ = true;
}

void FusedCompiler::add_residual(const nn::Module& module, const std::string& name) {
  const auto& block = *exactly<models::ResidualImpl>(module);
  const bool flat = flat_;
  network_.begin_residual();
  add(block.body, name + ".body.");
  const bool body_flat = flat_;
  flat_ = flat;
  if (!network_.can_be_added_to()) {
    refuse(name, "has a body that ends in an activation, which has no fused kernel");
  }
  network_.middle_of_residual();
  if (!block.shortcut.is_empty()) add(block.shortcut, name + ".shortcut.");
  if (flat_ != body_flat) refuse(name, "adds an image to a row");
  if (!network_.residual_fits()) refuse(name, "adds different shapes");
  network_.end_residual();
}

bool FusedCompiler::add_container(const nn::Module& module, const std::string& name) {
  if (exactly<nn::FlattenImpl>(module) != nullptr) {
    add_flatten(module, name);
  } else if (const auto* dropout = exactly<nn::DropoutImpl>(module)) {
    droppers_.push_back(&module);
    network_.add_dropout(dropout->options.p());
  } else if (exactly<models::ResidualImpl>(module) != nullptr) {
    add_residual(module, name);
  } else if (exactly<nn::SequentialImpl>(module) != nullptr) {
    for (const auto& child : module.named_children()) {
      add_module(*child.value(), name + "." + child.key());
    }
  } else {
    return exactly<nn::IdentityImpl>(module) != nullptr;
  }
  return true;
}

}  // namespace sotto::grad
