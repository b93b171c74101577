// Noise for released whole numbers, of either kind, with what it was calibrated for.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "sotto/accounting/epsilon_delta.h"
#include "sotto/mechanisms/discrete_gaussian.h"
#include "sotto/mechanisms/discrete_laplace.h"

namespace sotto::mechanisms {

enum class NoiseKind { kLaplace, kGaussian };

// "laplace" or "gaussian".
std::string_view to_string(NoiseKind kind);
// Throws InvalidArgument, naming the accepted spellings, for any other text.
NoiseKind noise_kind_from_name(std::string_view text);

// Discrete noise for a whole number that one record moves by at most `sensitivity`, or for a list
// of them in which one record moves one entry only.
class IntegerNoise {
 public:
  // The budget is used up to a factor of 1 - kMargin: a sum of budgets may be rounded, and still
  // holds. Throws InvalidArgument for values out of range, for Gaussian noise without a δ, and for
  // Laplace noise with one, which it would waste.
  IntegerNoise(NoiseKind kind, std::int64_t sensitivity, const accounting::EpsilonDelta& budget);

  std::int64_t draw(RandomSource& random) const;
  double standard_deviation() const;
  // A whole w with Pr[|noise| > w] <= tail.
  double half_width(double tail) const;

  std::int64_t sensitivity() const { return sensitivity_; }
  const accounting::EpsilonDelta& budget() const { return budget_; }
  // σ over sensitivity, if the noise is Gaussian.
  std::optional<double> gaussian_multiplier() const;

  static constexpr double kMargin = 1e-9;

 private:
  std::int64_t sensitivity_;
  accounting::EpsilonDelta budget_;
  std::variant<DiscreteLaplace, DiscreteGaussian> distribution_;
};

}  // namespace sotto::mechanisms
