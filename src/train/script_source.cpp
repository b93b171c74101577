#include "train/script_source.h"

#include <torch/nn.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <stdexcept>

#include "models/layers.h"
#include "models/scatter_networks.h"
#include "sotto/lipschitz/residual.h"
#include "train/lipschitz_script.h"
#include "train/scattering_script.h"

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
  const auto* padding = get_if<torch::ExpandingArray<2>>(&o.padding());
  if (padding == nullptr || !holds_alternative<torch::enumtype::kZeros>(o.padding_mode())) {
    throw std::runtime_error("cannot write a convolution with 'same' or non-zero padding");
  }
  return "torch.conv2d(x, " + self + ".weight, " + bias_of(self, o.bias()) + ", " +
         list(o.stride()) + ", " + list(*padding) + ", " + list(o.dilation()) + ", " +
         std::to_string(o.groups()) + ")";
}

std::string imagenet_scale() {
  const auto channels = [](const double(&values)[3]) {
    std::ostringstream text;
    text << "torch.tensor([" << values[0] << ", " << values[1] << ", " << values[2]
         << "], dtype=x.dtype, device=x.device).view(1, 3, 1, 1)";
    return text.str();
  };
  return "((x + 1) * 0.5 - " + channels(models::ImageNetScaleImpl::kMean) + ") / " +
         channels(models::ImageNetScaleImpl::kDeviation);
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
  if (const auto* layer = module.as<nn::AdaptiveAvgPool2d>()) {
    const auto& sizes = *layer->options.output_size();
    if (!sizes[0] || !sizes[1]) throw std::runtime_error("cannot write a pooling of open size");
    return "torch.adaptive_avg_pool2d(x, [" + std::to_string(*sizes[0]) + ", " +
           std::to_string(*sizes[1]) + "])";
  }
  if (module.as<models::ImageNetScale>() != nullptr) return imagenet_scale();
  if (module.as<models::UnitRange>() != nullptr) return "x * 0.5 + 0.5";
  if (const auto* layer = module.as<models::Scattering>()) return scattering_expression(*layer);
  if (const auto* layer = module.as<models::Standardised>()) {
    return "torch.group_norm(x, " + std::to_string(layer->groups) + ", None, None, 1e-5)";
  }
  if (module.as<nn::ReLU>() != nullptr) return "torch.relu(x)";
  if (module.as<nn::Tanh>() != nullptr) return "torch.tanh(x)";
  if (module.as<nn::Flatten>() != nullptr) return "torch.flatten(x, 1)";
  return "";
}

std::string statements(const nn::Module& sequential, const std::string& self);

// A layer may be named by a number, which is not a name in Python.
std::string member(const std::string& self, const std::string& name) {
  const bool number = std::isdigit(static_cast<unsigned char>(name.front())) != 0;
  return number ? "getattr(" + self + ", \"" + name + "\")" : self + "." + name;
}

// Variables are named after the block, so that blocks may be nested.
std::string residual(const models::ResidualImpl& block, const std::string& self) {
  std::string name = self;
  std::replace(name.begin(), name.end(), '.', '_');
  std::string source = "    " + name + "_in = x\n" + statements(*block.body, self + ".body");
  source += "    " + name + "_body = x\n    x = " + name + "_in\n";
  if (!block.shortcut.is_empty()) source += statements(*block.shortcut, self + ".shortcut");
  return source + "    x = " + name + "_body + x\n";
}

// One branch waits in a variable while the other is worked on.
std::string branches_of(const lipschitz::BranchesImpl& branches, const std::string& self) {
  std::string first = self;
  std::replace(first.begin(), first.end(), '.', '_');
  first += "_first";
  std::string source;
  for (const auto& item : branches.named_children()) {
    const auto& layer = *item.value();
    if (layer.as<lipschitz::SplitResidualImpl>() != nullptr) {
      source += "    " + first + " = x\n";
    } else if (const auto* wrapped = layer.as<lipschitz::WrappedResidualImpl>()) {
      source += statements(*wrapped->block, self + "." + item.key() + ".block");
    } else if (const auto* merge = layer.as<lipschitz::MergeResidualImpl>()) {
      const bool sum = merge->addition == lipschitz::Addition::kSum;
      source += "    x = (" + first + " + x) * " + (sum ? "1.0" : "0.5") + "\n";
    } else {
      throw std::runtime_error("cannot write layer '" + item.key() + "' as TorchScript");
    }
  }
  return source;
}

std::string statements(const nn::Module& sequential, const std::string& self) {
  std::string source;
  for (const auto& item : sequential.named_children()) {
    const auto name = member(self, item.key());
    if (const auto* block = item.value()->as<models::ResidualImpl>()) {
      source += residual(*block, name);
      continue;
    }
    if (item.value()->as<models::ChainImpl>() != nullptr) {
      source += statements(*item.value(), name);
      continue;
    }
    if (const auto* branches = item.value()->as<lipschitz::BranchesImpl>()) {
      source += branches_of(*branches, name);
      continue;
    }
    auto line = expression(*item.value(), name);
    if (line.empty()) line = lipschitz_expression(*item.value(), name);
    if (line.empty()) {
      throw std::runtime_error("cannot write layer '" + item.key() + "' (" + item.value()->name() +
                               ") as TorchScript");
    }
    source += "    x = " + line + "\n";
  }
  return source;
}

}  // namespace

std::string script_source(const nn::Sequential& model) {
  return "def forward(self, x):\n" + statements(*model, "self") + "    return x\n";
}

}  // namespace sotto::train
