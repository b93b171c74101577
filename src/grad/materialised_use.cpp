#include "grad/materialised_use.h"

#include <ATen/ATen.h>

#include "grad/exact_rows.h"

namespace sotto::grad {

using at::Tensor;

Tensor MaterialisedUse::per_sample(std::int64_t begin, std::int64_t end) const {
  return gradients_.narrow(0, begin, end - begin);
}

Tensor MaterialisedUse::exact_sum(const ExactFactors& factors) const {
  return exact_sum_of_rows(gradients_, factors);
}

void MaterialisedUse::discard(const Tensor& bad) {
  Shape shape(gradients_.dim(), 1);
  shape[0] = gradients_.size(0);
  gradients_ = gradients_.masked_fill(bad.reshape(shape), 0);
}

}  // namespace sotto::grad
