// Laplace noise on the whole numbers (the two-sided geometric distribution), drawn exactly.
#pragma once

#include <cstdint>
#include <memory>

#include "sotto/core/random.h"

namespace sotto::mechanisms {

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

}  // namespace sotto::mechanisms
