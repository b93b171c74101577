#include "train/script_source.h"

#include <torch/nn.h>

#include <sstream>
#include <stdexcept>

namespace sotto::train {
namespace {

namespace nn = torch::nn;

template <std::size_t D>
std::string list(const torch::ExpandingArray<D>& values) {
  std::ostringstream text;
  text << '[';
  for (std::size_t i = 0; i < D; ++i) text << (i == 0 ? "" : ", ") << (*values)[i];
  text << ']';
  return text.str();
}

std::string flag(bool value) { return value ? "True" : "False"; }

std::string bias_of(const std::string& layer, bool has_bias) {
  return has_bias ? layer + ".bias" : "None";
}

std::string convolution(const nn::Conv2dImpl& layer, const std::string& self) {
  const auto& o = layer.options;
  const auto* padding = c10::get_if<torch::ExpandingArray<2>>(&o.padding());
  if (padding == nullptr || !c10::holds_alternative<torch::enumtype::kZeros>(o.padding_mode())) {
    throw std::runtime_error("cannot write a convolution with 'same' or non-zero padding");
  }
  return "torch.conv2d(x, " + self + ".weight, " + bias_of(self, o.bias()) + ", " +
         list(o.stride()) + ", " + list(*padding) + ", " + list(o.dilation()) + ", " +
         std::to_string(o.groups()) + ")";
}

// The expression of one layer, in x; empty if the type is unknown.
std::string expression(const nn::Module& module, const std::string& self) {
  if (const auto* layer = module.as<nn::Linear>()) {
    return "torch.linear(x, " + self + ".weight, " + bias_of(self, layer->options.bias()) + ")";
  }
  if (const auto* layer = module.as<nn::Conv2d>()) return convolution(*layer, self);
  if (const auto* layer = module.as<nn::MaxPool2d>()) {
    const auto& o = layer->options;
    return "torch.max_pool2d(x, " + list(o.kernel_size()) + ", " + list(o.stride()) + ", " +
           list(o.padding()) + ", " + list(o.dilation()) + ", " + flag(o.ceil_mode()) + ")";
  }
  if (const auto* layer = module.as<nn::AvgPool2d>()) {
    const auto& o = layer->options;
    return "torch.avg_pool2d(x, " + list(o.kernel_size()) + ", " + list(o.stride()) + ", " +
           list(o.padding()) + ", " + flag(o.ceil_mode()) + ", " + flag(o.count_include_pad()) +
           ")";
  }
  if (const auto* layer = module.as<nn::GroupNorm>()) {
    const auto& o = layer->options;
    return "torch.group_norm(x, " + std::to_string(o.num_groups()) + ", " +
           (o.affine() ? self + ".weight, " + self + ".bias" : std::string("None, None")) + ", " +
           std::to_string(o.eps()) + ")";
  }
  if (module.as<nn::ReLU>() != nullptr) return "torch.relu(x)";
  if (module.as<nn::Tanh>() != nullptr) return "torch.tanh(x)";
  if (module.as<nn::Flatten>() != nullptr) return "torch.flatten(x, 1)";
  return "";
}

}  // namespace

std::string script_source(const nn::Sequential& model) {
  std::string source = "def forward(self, x):\n";
  for (const auto& item : model->named_children()) {
    const auto line = expression(*item.value(), "self." + item.key());
    if (line.empty()) {
      throw std::runtime_error("cannot write layer '" + item.key() + "' (" + item.value()->name() +
                               ") as TorchScript");
    }
    source += "    x = " + line + "\n";
  }
  return source + "    return x\n";
}

}  // namespace sotto::train
