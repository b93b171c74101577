#include "plan/clip_rule.h"

#include <algorithm>
#include <cmath>

namespace sotto {
namespace {

constexpr double kStability = 0.01;  // γ of automatic clipping, arXiv:2206.07136

}  // namespace

double scaled_down(double norm, double bound) {
  return std::min(1.0, bound / (norm * kRoundingMargin));  // a norm of 0: infinity, so 1
}

ClipRule::ClipRule(const Clipping& clipping, double bound, const std::vector<std::int64_t>& layers)
    : kind_(is<PerLayerClipping>(clipping)    ? Kind::kByLayer
            : is<AutomaticClipping>(clipping) ? Kind::kAutomatic
                                              : Kind::kWhole),
      bound_(bound),
      parameters_(static_cast<std::int64_t>(layers.size())) {
  take_layers(layers);
  // Each layer's gradient to bound / √layers: together at most `bound`.
  const auto count = parameters_of_layer_.size();
  layer_bounds_.assign(count, bound_ / std::sqrt(static_cast<double>(count)));
}

ClipRule::ClipRule(const std::vector<std::int64_t>& groups, std::vector<double> bounds)
    : kind_(Kind::kByLayer),
      bound_(0),
      parameters_(static_cast<std::int64_t>(groups.size())),
      layer_bounds_(std::move(bounds)) {
  take_layers(groups);
  for (const double bound : layer_bounds_) bound_ = std::hypot(bound_, bound);
}

void ClipRule::take_layers(const std::vector<std::int64_t>& layers) {
  for (std::int64_t p = 0; p < parameters_; ++p) {
    const auto layer = static_cast<std::size_t>(layers[static_cast<std::size_t>(p)]);
    if (parameters_of_layer_.size() <= layer) parameters_of_layer_.resize(layer + 1);
    parameters_of_layer_[layer].push_back(p);
  }
}

double ClipRule::norm(const double* squared_norms, std::int64_t stride) const {
  double total = 0;
  for (std::int64_t p = 0; p < parameters_; ++p) total += squared_norms[p * stride];
  return std::sqrt(total);
}

void ClipRule::count(double norm, ClipCounts& counts) const {
  if (!usable(norm)) {
    ++counts.discarded;
  } else if (norm == 0) {
    ++counts.silent;
  } else if (norm <= bound_) {
    ++counts.unclipped;
  } else {
    ++counts.clipped;
  }
}

// Factors are applied in float, where one for a larger norm would lose its digits.
bool ClipRule::usable(double norm) const { return std::isfinite(norm) && norm <= 1e30 * bound_; }

double ClipRule::whole_factor(double norm) const {
  if (kind_ == Kind::kAutomatic) return bound_ / ((norm + kStability) * kRoundingMargin);
  return scaled_down(norm, bound_);
}

void ClipRule::layer_factors(const double* squared_norms, std::int64_t stride,
                             double* factors) const {
  for (std::size_t layer = 0; layer < parameters_of_layer_.size(); ++layer) {
    const auto& parameters = parameters_of_layer_[layer];
    double total = 0;
    for (const auto p : parameters) total += squared_norms[p * stride];
    const double factor = scaled_down(std::sqrt(total), layer_bounds_[layer]);
    for (const auto p : parameters) factors[p * stride] = factor;
  }
}

void ClipRule::factors(const double* squared_norms, std::int64_t stride, std::int64_t samples,
                       double* factors) const {
  for (std::int64_t i = 0; i < samples; ++i) {
    const double whole = norm(squared_norms + i, stride);
    if (usable(whole) && kind_ == Kind::kByLayer) {
      layer_factors(squared_norms + i, stride, factors + i);
      continue;
    }
    const double factor = usable(whole) ? whole_factor(whole) : 0;
    for (std::int64_t p = 0; p < parameters_; ++p) factors[p * stride + i] = factor;
  }
}

}  // namespace sotto
