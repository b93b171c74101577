// The clip rule on tensors.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "private/clip_rule.h"

namespace sotto {

struct ClipFactors {
  at::Tensor factors;  // (parameters, N), double
  at::Tensor norms;    // (N): of the whole gradient
  ClipCounts counts;
};

// squared_norms: (parameters, N), double. layers[p]: the layer of parameter p, counted from 0.
ClipFactors clip_factors(const at::Tensor& squared_norms, Clipping clipping, double bound,
                         const std::vector<std::int64_t>& layers);

ClipFactors clip_factors(const at::Tensor& squared_norms, const ClipRule& rule);

// Norms and counts alone, where the factors have been used already.
ClipFactors clip_counts(const at::Tensor& squared_norms, const ClipRule& rule);

}  // namespace sotto
