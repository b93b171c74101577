#include <ATen/ATen.h>

#include "grad/libtorch/nodes.h"
#include "grad/materialised_use.h"
#include "grad/outer_products.h"
#include "grad/rules/rules.h"
#include "grad/sample_major.h"

namespace sotto::grad {
namespace {

using at::Tensor;

// out (R, C) = left (R, K) x right (K, C), of which one is shared.
std::unique_ptr<SharedUse> factor_use(const UseOf& use, bool shared_is_right, const Tensor& other,
                                      const at::Scalar& alpha) {
  const Tensor g = alpha.equal(1) ? use.gradient : use.gradient * alpha;
  if (shared_is_right && use.axis.axis == 0) {  // (K, C): other (R, K), g (R, C)
    return std::make_unique<StoredRowsUse>(
        use.shape(), OuterProductUse::Rows{rows_by_sample(other, use.axis, use.samples),
                                           rows_by_sample(g, use.axis, use.samples)});
  }
  if (!shared_is_right && use.axis.axis == 1) {  // (R, K): g (R, C), other (K, C)
    const SampleAxis rows{0, use.axis.before, use.axis.after};
    return std::make_unique<StoredRowsUse>(
        use.shape(), OuterProductUse::Rows{rows_by_sample(g.t(), rows, use.samples),
                                           rows_by_sample(other.t(), rows, use.samples)});
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<SharedUse> mm_use(const UseOf& use) {
  auto& node = use.node<gen::MmBackward0>();
  const bool right = use.input() == 1;
  const auto& other = right ? node.self_ : node.mat2_;
  return factor_use(use, right, other.unpack(use.boundary.node), 1);
}

std::unique_ptr<SharedUse> addmm_use(const UseOf& use) {
  auto& node = use.node<gen::AddmmBackward0>();
  if (use.input() == 0) {
    const Tensor g = node.beta.equal(1) ? use.gradient : use.gradient * node.beta;
    return std::make_unique<MaterialisedUse>(
        reduce_to_operand(g, use.axis, use.samples, use.shape()));
  }
  const bool right = use.input() == 2;
  const auto& other = right ? node.mat1_ : node.mat2_;
  return factor_use(use, right, other.unpack(use.boundary.node), node.alpha);
}

}  // namespace sotto::grad
