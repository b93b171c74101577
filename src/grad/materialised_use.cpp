#include "grad/materialised_use.h"

#include <ATen/ATen.h>

#include "grad/sample_major.h"

namespace sotto::grad {

using at::Tensor;

Tensor weighted_sum_of_rows(const Tensor& g, const Tensor& factors) {
  const Tensor rows = rows_as_stored(g);
  const Tensor sum = at::mv(rows.t(), factors.to(g.scalar_type()));
  const bool as_stored = rows.is_alias_of(g) && !g.is_contiguous();
  return as_stored ? sum.as_strided(g.sizes().slice(1), g.strides().slice(1))
                   : sum.reshape(g.sizes().slice(1));
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
