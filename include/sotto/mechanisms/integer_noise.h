// Noise for released whole numbers, drawn exactly: Laplace, Gaussian, and either of them with what
// it was calibrated for.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <variant>

#include "sotto/accounting/guarantee.h"
#include "sotto/core/random.h"

namespace sotto::mechanisms {

// Laplace noise on the whole numbers (the two-sided geometric distribution).
//
// Pr[x] is proportional to e^(-|x| ε / sensitivity), for every whole x. Added to a whole number
// that one record moves by at most `sensitivity`, it is (ε, 0)-differentially private (Ghosh,
// Roughgarden, Sundararajan 2009). The sampler (arXiv:2004.00010, Algorithm 2) uses whole numbers
// only, so that there is no rounding for an attacker to read (Mironov 2012).
class DiscreteLaplace {
 public:
  // Throws InvalidArgument unless sensitivity >= 1, epsilon > 0 and sensitivity / epsilon is at
  // most kLargestScale.
  DiscreteLaplace(std::int64_t sensitivity, double epsilon);

  // Within ±2^62: what lies beyond (with probability e^-1000 at most) is moved to the end, which
  // costs no privacy.
  std::int64_t draw(RandomSource& random) const;

  double probability(std::int64_t value) const;
  double standard_deviation() const;
  // The smallest whole w with Pr[|x| > w] <= tail. REQUIRES: 0 < tail < 1.
  double half_width(double tail) const;

  static constexpr double kLargestScale = 0x1p52;

 private:
  struct Scale;                         // sensitivity / ε, as an exact fraction
  std::shared_ptr<const Scale> scale_;  // immutable, so that copies may share it
  double rate_;                         // ε / sensitivity
};

// Gaussian noise on the whole numbers.
//
// Pr[x] is proportional to e^(-x² / (2σ²)), for every whole x (arXiv:2004.00010). Added to a whole
// number that one record moves by at most Δ, every Rényi divergence is at most that of the
// continuous Gaussian, α Δ² / (2σ²) (Theorem 4 there), so that Rényi accounting of a GaussianEvent
// of noise multiplier σ/Δ holds. (Accounting by privacy-loss distributions is not proved to.)
class DiscreteGaussian {
 public:
  // Throws InvalidArgument unless 0 < sigma <= kLargestSigma.
  explicit DiscreteGaussian(double sigma);

  // The smallest σ that is (ε, δ)-private by Rényi accounting, rounded up. Throws InvalidArgument
  // unless sensitivity >= 1, ε > 0 and 0 < δ < 1.
  static DiscreteGaussian for_budget(std::int64_t sensitivity,
                                     const accounting::EpsilonDelta& budget);

  std::int64_t draw(RandomSource& random) const;

  double sigma() const { return sigma_; }
  double probability(std::int64_t value) const;
  // Never more than this (shown there): σ itself.
  double standard_deviation() const { return sigma_; }
  // A whole w with Pr[|x| > w] <= tail. REQUIRES: 0 < tail < 1.
  double half_width(double tail) const;

  static constexpr double kLargestSigma = 0x1p52;

 private:
  struct Variance;  // σ², as an exact fraction
  std::shared_ptr<const Variance> variance_;
  double sigma_;
};

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
