#include "grad/materialised_use.h"

#include <ATen/ATen.h>

namespace sotto::grad {

using at::Tensor;

Tensor weighted_sum_of_rows(const Tensor& g, const Tensor& factors) {
  const Tensor rows = g.reshape({g.size(0), -1});
  const Tensor sum = at::mv(rows.t(), factors.to(g.scalar_type()));
  return sum.reshape(g.sizes().slice(1));
}

Tensor MaterialisedUse::per_sample(std::int64_t begin, std::int64_t end) const {
  return gradients_.narrow(0, begin, end - begin);
}

Tensor MaterialisedUse::weighted_sum(const Tensor& factors) const {
  return weighted_sum_of_rows(gradients_, factors);
}

void MaterialisedUse::discard(const Tensor& bad) {
  Shape shape(gradients_.dim(), 1);
  shape[0] = gradients_.size(0);
  gradients_ = gradients_.masked_fill(bad.reshape(shape), 0);
}

}  // namespace sotto::grad
