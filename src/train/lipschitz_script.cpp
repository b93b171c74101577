#include "train/lipschitz_script.h"

#include <sstream>

#include "sotto/lipschitz/fixed_layers.h"
#include "sotto/lipschitz/linear_layers.h"

namespace sotto::train {
namespace {

namespace lip = lipschitz;

// A Python float that reads back to the same value.
std::string real(double value) {
  std::ostringstream text;
  text.precision(17);
  text << std::scientific << value;
  return text.str();
}

std::string pair_of(std::int64_t value) {
  return "[" + std::to_string(value) + ", " + std::to_string(value) + "]";
}

std::string joined(const std::vector<std::int64_t>& values) {
  std::string text;
  for (const auto value : values) text += ", " + std::to_string(value);
  return text;
}

// Each sample scaled down to norm `bound`.
std::string bounded(double bound) {
  return "x * torch.clamp(" + real(bound) +
         " / torch.clamp(torch.flatten(x, 1).norm(2, [1]), min=1e-30), "
         "max=1.0).reshape([-1] + [1] * (x.dim() - 1))";
}

std::string window_sums_of(const std::string& values, std::int64_t size) {
  return "torch.avg_pool2d(" + values + ", " + pair_of(size) + ", " + pair_of(size) + ") * " +
         std::to_string(size * size) + ".0";
}

std::string root_of(const std::string& squares) {
  return "torch.sqrt(torch.clamp(" + squares + ", min=1e-30)) - 1e-15";
}

std::string convolution_of(const lip::Conv2dImpl& layer, const std::string& self) {
  const auto& o = layer.options;
  return "torch.conv2d(x, " + self + ".weight * " + real(layer.scale()) + ", None, " +
         pair_of(o.stride) + ", " + pair_of(o.padding) + ", [1, 1], 1)";
}

std::string sorted(const lip::GroupSortImpl& layer) {
  if (layer.group == 2) {
    return "torch.cat([torch.maximum(x.chunk(2, 1)[0], x.chunk(2, 1)[1]), "
           "torch.minimum(x.chunk(2, 1)[0], x.chunk(2, 1)[1])], 1)";
  }
  const auto group = std::to_string(layer.group);
  return "x.reshape([x.size(0), " + group + ", x.size(1) // " + group +
         "] + x.shape[2:]).sort(1, True)[0].reshape(x.shape)";
}

std::string bias_expression(const std::string& self) {
  return "(x + " + self + ".bias) if x.dim() == 2 else (x + (" + self +
         ".bias / float(x.size(2) * x.size(3)) ** 0.5).reshape([1, -1, 1, 1]))";
}

}  // namespace

std::string lipschitz_expression(const torch::nn::Module& module, const std::string& self) {
  if (const auto* layer = module.as<lip::InputBoundImpl>()) return bounded(layer->bound);
  if (module.as<lip::LayerCenteringImpl>() != nullptr) {
    return "x - x.mean([2, 3] if x.dim() == 4 else [1], True)";
  }
  if (module.as<lip::LinearImpl>() != nullptr) return "torch.linear(x, " + self + ".weight)";
  if (module.as<lip::BiasImpl>() != nullptr) return bias_expression(self);
  if (const auto* layer = module.as<lip::Conv2dImpl>()) return convolution_of(*layer, self);
  if (const auto* layer = module.as<lip::GroupSortImpl>()) return sorted(*layer);
  if (const auto* layer = module.as<lip::L2NormPool2dImpl>()) {
    return root_of(window_sums_of("x * x", layer->size));
  }
  if (module.as<lip::GlobalL2NormPool2dImpl>() != nullptr) return root_of("(x * x).sum([2, 3])");
  if (const auto* layer = module.as<lip::ScaledAvgPool2dImpl>()) {
    return window_sums_of("x", layer->size) + " / " + real(static_cast<double>(layer->size));
  }
  if (const auto* layer = module.as<lip::ReshapeImpl>()) {
    return "x.reshape([x.size(0)" + joined(layer->sizes) + "])";
  }
  if (const auto* layer = module.as<lip::PermuteImpl>()) {
    return "x.permute([0" + joined(layer->order) + "])";
  }
  if (module.as<lip::ClipGradientImpl>() != nullptr) return "x";
  return "";
}

}  // namespace sotto::train
