// From per-sample norms to the factors that bound every sample's contribution.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "sotto/private/plan.h"

namespace sotto {

struct ClipFactors {
  at::Tensor factors;          // (parameters, N), double
  at::Tensor norms;            // (N): of the whole gradient
  std::int64_t unclipped = 0;  // finite samples of norm at most C
  std::int64_t clipped = 0;    // finite samples of larger norm
  std::int64_t discarded = 0;  // samples that are not finite: factor 0
};

// Factors such that every sample's scaled gradient, all parameters together, has norm at most
// `bound`. The factors are smaller than they need be by 2^-18, which covers the rounding of norms.
//
// squared_norms: (parameters, N), double. layers[p]: the layer of parameter p, counted from 0.
ClipFactors clip_factors(const at::Tensor& squared_norms, Clipping clipping, double bound,
                         const std::vector<std::int64_t>& layers);

}  // namespace sotto
