#include <ATen/ATen.h>

#include "grad/libtorch/nodes.h"
#include "grad/materialised_use.h"
#include "grad/rules/rules.h"
#include "grad/sample_major.h"

namespace sotto::grad {
namespace {

using at::Tensor;

// `g` has the shape of the output; the shared operand was broadcast to it.
std::unique_ptr<SharedUse> broadcast_use(const UseOf& use, const Tensor& g) {
  return std::make_unique<MaterialisedUse>(
      reduce_to_operand(g, use.axis, use.samples, use.shape()));
}

Tensor scaled(const Tensor& g, const at::Scalar& factor) {
  return factor.equal(1) ? g : g * factor;
}

}  // namespace

std::unique_ptr<SharedUse> add_use(const UseOf& use) {
  const auto& alpha = use.node<gen::AddBackward0>().alpha;
  return broadcast_use(use, use.input() == 0 ? use.gradient : scaled(use.gradient, alpha));
}

std::unique_ptr<SharedUse> sub_use(const UseOf& use) {
  const auto& alpha = use.node<gen::SubBackward0>().alpha;
  return broadcast_use(use, use.input() == 0 ? use.gradient : -scaled(use.gradient, alpha));
}

std::unique_ptr<SharedUse> mul_use(const UseOf& use) {
  auto& node = use.node<gen::MulBackward0>();
  const auto& other = use.input() == 0 ? node.other_ : node.self_;
  return broadcast_use(use, use.gradient * other.unpack(use.boundary.node));
}

std::unique_ptr<SharedUse> expand_use(const UseOf& use) { return broadcast_use(use, use.gradient); }

// The output is `repeats` copies along each axis; the samples are among the copies.
std::unique_ptr<SharedUse> repeat_use(const UseOf& use) {
  const Shape shape = use.shape();
  const Shape full = use.gradient.sizes().vec();
  const std::size_t missing = full.size() - shape.size();
  const std::int64_t own = use.axis.axis < missing ? 1 : shape[use.axis.axis - missing];
  const Tensor g = samples_first(use.gradient, use.axis, use.samples);
  Shape split{use.samples, use.axis.before, use.axis.after / own, own};
  std::vector<std::int64_t> summed{1, 2};
  if (use.axis.axis < missing) summed.push_back(3);
  for (std::size_t i = 0; i < full.size(); ++i) {
    if (i == use.axis.axis) continue;
    const std::int64_t size = i < missing ? 1 : shape[i - missing];
    summed.push_back(static_cast<std::int64_t>(split.size()));
    split.insert(split.end(), {full[i] / size, size});
  }
  // Kept: the sample axis' own part first, then the other axes: bring it back to its place.
  Tensor kept = g.reshape(split).sum(summed, /*keepdim=*/false);
  if (use.axis.axis >= missing) {
    kept = kept.movedim(1, static_cast<std::int64_t>(use.axis.axis) + 1);
  }
  Shape sizes{use.samples};
  sizes.insert(sizes.end(), shape.begin(), shape.end());
  return std::make_unique<MaterialisedUse>(kept.reshape(sizes));
}

}  // namespace sotto::grad
