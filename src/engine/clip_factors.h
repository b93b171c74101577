// The clip rule on tensors.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "plan/clip_rule.h"

namespace sotto {

struct ClipFactors {
  at::Tensor factors;  // (parameters, N), double
  at::Tensor norms;    // (N): of the whole gradient
  ClipCounts counts;
};

// squared_norms: (parameters, N), double. layers[p]: the layer of parameter p, counted from 0.
ClipFactors clip_factors(const at::Tensor& squared_norms, const Clipping& clipping, double bound,
                         const std::vector<std::int64_t>& layers);

ClipFactors clip_factors(const at::Tensor& squared_norms, const ClipRule& rule);

// For gradients that are bounded by proof, parameter by parameter: 1, but for what rounding adds to
// a gradient that reaches its bound. So a bound holds for the numbers that are added up, and not
// only for those that it was proved of. 0 for a sample whose gradient is not finite.
at::Tensor factors_within(const at::Tensor& squared_norms, const std::vector<double>& bounds);

// Norms and counts alone, where the factors have been used already.
ClipFactors clip_counts(const at::Tensor& squared_norms, const ClipRule& rule);

}  // namespace sotto
