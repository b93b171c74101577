// From per-sample norms to the factors that bound every sample's contribution.
#pragma once

#include <cstdint>
#include <vector>

#include "sotto/plan/plan.h"

namespace sotto {

struct ClipCounts {
  std::int64_t unclipped = 0;  // finite samples of norm at most the bound, and above 0
  std::int64_t clipped = 0;    // finite samples of larger norm
  std::int64_t discarded = 0;  // samples that are not finite, or beyond 1e30 bounds: factor 0
  std::int64_t silent = 0;     // of norm 0
};

// Norms are taken to be larger by this, so that what rounding does to norms and sums on the way
// stays within a record's bound: docs/finite-precision.md proves that it is enough.
inline constexpr double kRoundingMargin = 1 + 0x1p-8;

// The factor that takes a gradient of this norm to norm `bound`, rounding included; 1 if it is
// smaller.
double scaled_down(double norm, double bound);

// Factors such that every sample's scaled gradient, all parameters together, has norm at most
// `bound`. They are smaller than they need be by 2^-8, which covers what rounding does to norms and
// sums (docs/finite-precision.md).
class ClipRule {
 public:
  // layers[p]: the layer of parameter p, counted from 0. Not for grouped clipping.
  ClipRule(const Clipping& clipping, double bound, const std::vector<std::int64_t>& layers);

  // Grouped: layers[p] is the group of parameter p, bounds[j] the norm of group j. The norm of all
  // together is then at most that of `bounds`.
  ClipRule(const std::vector<std::int64_t>& groups, std::vector<double> bounds);

  // Matrices (parameters, stride), of which the first `samples` columns are used. Any thread may
  // call it.
  void factors(const double* squared_norms, std::int64_t stride, std::int64_t samples,
               double* factors) const;

  // The norm of a sample's whole gradient, from its column.
  double norm(const double* squared_norms, std::int64_t stride) const;
  void count(double norm, ClipCounts& counts) const;

 private:
  void take_layers(const std::vector<std::int64_t>& layers);
  bool usable(double norm) const;
  double whole_factor(double norm) const;
  void layer_factors(const double* squared_norms, std::int64_t stride, double* factors) const;

  enum class Kind : std::uint8_t { kWhole, kAutomatic, kByLayer };
  Kind kind_;
  double bound_;
  std::vector<std::vector<std::int64_t>> parameters_of_layer_;
  std::int64_t parameters_;
  std::vector<double> layer_bounds_;
};

}  // namespace sotto
