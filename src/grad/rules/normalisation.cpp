#include <ATen/ATen.h>

#include "grad/libtorch/nodes.h"
#include "grad/materialised_use.h"
#include "grad/rules/rules.h"
#include "grad/sample_major.h"

namespace sotto::grad {
namespace {

using at::Tensor;

}  // namespace

std::unique_ptr<SharedUse> layer_norm_use(const UseOf& use) {
  auto& node = use.node<gen::NativeLayerNormBackward0>();
  Tensor g = use.gradient;
  if (use.input() == 1) {
    const Tensor input = node.input_.unpack(use.boundary.node);
    const Tensor mean = node.result1_.unpack(use.boundary.node);
    const Tensor inverse_deviation = node.result2_.unpack(use.boundary.node);
    g = g * ((input - mean) * inverse_deviation);
  }
  return std::make_unique<MaterialisedUse>(
      reduce_to_operand(g, use.axis, use.samples, use.shape()));
}

std::unique_ptr<SharedUse> group_norm_use(const UseOf& use) {
  auto& node = use.node<gen::NativeGroupNormBackward0>();
  const std::int64_t items = use.gradient.size(0);
  const std::int64_t channels = use.gradient.size(1);
  Tensor g = use.gradient.reshape({items, channels, -1});
  if (use.input() == 1) {
    const Tensor input = node.input_.unpack(use.boundary.node);
    const Tensor mean = node.result1_.unpack(use.boundary.node);               // (items, groups)
    const Tensor inverse_deviation = node.result2_.unpack(use.boundary.node);  // (items, groups)
    const Tensor grouped = input.reshape({items, node.group, -1});
    const Tensor normalised = (grouped - mean.unsqueeze(2)) * inverse_deviation.unsqueeze(2);
    g = g * normalised.reshape(g.sizes());
  }
  return std::make_unique<MaterialisedUse>(
      reduce_to_operand(g.sum(2), use.axis, use.samples, {channels}));
}

std::unique_ptr<SharedUse> prelu_use(const UseOf& use) {
  auto& node = use.node<PreluNode>();
  const Tensor input = node.self_.unpack(use.boundary.node);
  const Tensor g = use.gradient * input.clamp_max(0);
  if (kPreluBroadcasts) {
    return std::make_unique<MaterialisedUse>(
        reduce_to_operand(g, use.axis, use.samples, use.shape()));
  }
  Shape shape(g.dim(), 1);  // the weight lies along axis 1
  if (g.dim() > 1) shape[1] = element_count(use.shape());
  if (use.axis.axis == 1 && shape[1] != 1) return nullptr;
  Shape sizes{use.samples};
  for (const auto size : use.shape()) sizes.push_back(size);
  return std::make_unique<MaterialisedUse>(
      reduce_to_operand(g, use.axis, use.samples, shape).reshape(sizes));
}

}  // namespace sotto::grad
