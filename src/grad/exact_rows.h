// Adding up samples' gradients without rounding: each is cut off to whole numbers first, so that
// the sum does not depend on order or threads, and no contribution grows.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "grad/outer_products.h"

namespace sotto::grad {

// Of each sample: its clip factor over the sum's unit. A sample of factor 0 is left out, whatever
// its gradient is.
struct ExactFactors {
  std::vector<double> values;            // (N)
  std::vector<std::int64_t> chain_ends;  // see ExactSums
  // Memory for the sum, where it has its shape: double, contiguous. May be undefined.
  at::Tensor destination = {};

  ExactFactors of_samples(std::int64_t begin, std::int64_t end) const;
};

// g (n, ...), float or double -> (...), double: Σ_i cut_off(factors[i] · g[i]).
at::Tensor exact_sum_of_rows(const at::Tensor& g, const ExactFactors& factors);

// Σ_i cut_off(factors[i] · Σ_t left[i][t] x right[i][t]), (I, O), double; or, of one term a sample,
// in chains, in the factors' destination if it has I · O entries. Rows are float.
at::Tensor exact_sum_of_products(const OuterProductUse::Rows& rows, const ExactFactors& factors);

// Of what the writers of all uses write, in their order: (1, I · O), double. Where have_writers().
at::Tensor exact_sum_by_writers(const std::vector<const OuterProductUse*>& uses,
                                const ExactFactors& factors);

}  // namespace sotto::grad
