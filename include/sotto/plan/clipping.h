// How one record's gradient is bounded before it is added to the others.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

namespace sotto {

// C below is the plan's max_grad_norm.

// Each sample's whole gradient is scaled down to norm C.
struct FlatClipping {};

// Each layer's gradient is scaled down to norm C / √layers.
struct PerLayerClipping {};

// Each sample's gradient g is scaled to norm C·‖g‖ / (‖g‖ + γ) (arXiv:2206.07136).
struct AutomaticClipping {};

// Flat, with C following a quantile of the norms (arXiv:1905.03871). The count of unclipped samples
// takes its share of the plan's noise, and the gradient gets a little more.
struct AdaptiveClipping {
  double target_quantile = 0.5;  // the share of samples that is to stay unclipped
  double learning_rate = 0.2;    // how fast C follows
  // Standard deviation of the noise on the count; by default a twentieth of the batch size.
  std::optional<double> count_noise = {};
};

// Clipless training only: C is searched for before every epoch by the sparse vector technique,
// with Laplace noise, on a batch drawn for it. Poisson sampling, add-remove or zero-out only.
struct SearchedClipping {
  double target_quantile = 0.5;
  // ε of one search on its batch, before amplification by sampling.
  double epsilon = 1;
};

// Parameters in k groups: group j's gradient is scaled down to a norm c_j of its own, given to
// the engine, which may change between steps (arXiv:1801.01594). Noise on group j's sum has
// standard deviation σ√k·c_j: k sums, each with σ√k times its own bound, are one Gaussian of
// multiplier σ.
struct GroupedClipping {
  std::int64_t groups = 1;
};

using Clipping = std::variant<FlatClipping, PerLayerClipping, AutomaticClipping, AdaptiveClipping,
                              SearchedClipping, GroupedClipping>;

template <typename Kind>
bool is(const Clipping& clipping) {
  return std::holds_alternative<Kind>(clipping);
}

// "flat", "per-layer", "automatic", "adaptive", "laplace" (searched) or "grouped".
std::string_view to_string(const Clipping& clipping);
// With default settings. Throws InvalidArgument, naming the accepted spellings, for any other text;
// "grouped", which needs more than a name, is one of them.
Clipping clipping_from_name(std::string_view text);

}  // namespace sotto
