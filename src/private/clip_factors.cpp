#include "private/clip_factors.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

namespace sotto {
namespace {

using at::Tensor;

constexpr double kRoundingMargin = 1 + 0x1p-18;
constexpr double kStability = 0.01;  // γ of automatic clipping

Tensor scale_down(const Tensor& norms, double bound) {
  return (bound / (norms * kRoundingMargin)).clamp_max(1);
}

// Each layer's gradient to bound / √layers: together at most `bound`.
Tensor per_layer(const Tensor& squared_norms, double bound,
                 const std::vector<std::int64_t>& layers) {
  const std::int64_t count = *std::max_element(layers.begin(), layers.end()) + 1;
  const Tensor layer = at::tensor(layers, at::kLong);
  const Tensor layer_norms = at::zeros({count, squared_norms.size(1)}, squared_norms.options())
                                 .index_add_(0, layer, squared_norms)
                                 .sqrt_();
  const double share = bound / std::sqrt(static_cast<double>(count));
  return scale_down(layer_norms, share).index_select(0, layer);
}

}  // namespace

ClipFactors clip_factors(const Tensor& squared_norms, Clipping clipping, double bound,
                         const std::vector<std::int64_t>& layers) {
  ClipFactors result;
  result.norms = squared_norms.sum(0).sqrt();
  const Tensor finite = result.norms.isfinite();
  const Tensor norms = result.norms.masked_fill(finite.logical_not(), 0);
  if (clipping == Clipping::kPerLayer && !layers.empty()) {
    result.factors = per_layer(squared_norms.nan_to_num(0, 0, 0), bound, layers);
  } else if (clipping == Clipping::kAutomatic) {
    result.factors = (bound / ((norms + kStability) * kRoundingMargin)).expand_as(squared_norms);
  } else {
    result.factors = scale_down(norms, bound).expand_as(squared_norms);
  }
  result.factors = result.factors * finite;
  result.unclipped = (finite & (norms <= bound)).sum().item<std::int64_t>();
  result.discarded = finite.logical_not().sum().item<std::int64_t>();
  result.clipped = norms.size(0) - result.unclipped - result.discarded;
  return result;
}

}  // namespace sotto
