// Gaussian noise on the whole numbers, drawn exactly.
#pragma once

#include <cstdint>
#include <memory>

#include "sotto/accounting/epsilon_delta.h"
#include "sotto/core/random.h"

namespace sotto::mechanisms {

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

}  // namespace sotto::mechanisms
