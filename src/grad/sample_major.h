// Bringing samples to the front of a tensor, and measuring them.
#pragma once

#include <ATen/core/Tensor.h>

#include "grad/sample_layout.h"

namespace sotto::grad {

// t whose axis `axis.axis` is (before, N, after) as (N, before, after, all other axes in order...).
at::Tensor samples_first(const at::Tensor& t, const SampleAxis& axis, std::int64_t samples);

// Like samples_first for t (rows, columns) with the samples in axis 0: (N, T, columns).
at::Tensor rows_by_sample(const at::Tensor& t, const SampleAxis& axis, std::int64_t samples);

// Per-sample gradients of an operand of shape `shape` that was broadcast to t's shape:
// (N, *shape).
at::Tensor reduce_to_operand(const at::Tensor& t, const SampleAxis& axis, std::int64_t samples,
                             const Shape& shape);

// g (n, ...) as (n, entries of a row), a row's entries in the order in which they lie in memory
// where that saves a copy: the same for all rows.
at::Tensor rows_as_stored(const at::Tensor& g);

// Squared L2 norm of each row g[i] of g (n, ...), added up in double precision: (n).
at::Tensor squared_norm_of_rows(const at::Tensor& g);

}  // namespace sotto::grad
