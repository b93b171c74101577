// Counts, sums and means as they may be published: noised once, with an honest error.
#pragma once

#include <cstdint>
#include <optional>

#include "sotto/accounting/epsilon_delta.h"
#include "sotto/core/random.h"
#include "sotto/mechanisms/bounded_values.h"
#include "sotto/mechanisms/integer_noise.h"

namespace sotto::mechanisms {

// The error is that of the noise alone: nothing about sampling is claimed. The interval holds what
// the data say with probability 95 % at least.
struct Release {
  double value = 0;
  double standard_error = 0;  // NaN for a quantile, whose error is one of ranks
  double low = 0;             // likewise its bounds
  double high = 0;
  // Of a quantile only: with probability 95 % its rank is off by at most so many records.
  std::optional<double> rank_error = {};
};

// The noise that a query calls for: what a record may add, and the budget it uses. Made before
// anything is charged, so that bad parameters cost nothing. Neighbours differ by adding or removing
// one record.
class CountRelease {
 public:
  CountRelease(NoiseKind kind, const accounting::EpsilonDelta& budget);
  Release release(std::int64_t count, RandomSource& random) const;
  const IntegerNoise& noise() const { return noise_; }

 private:
  IntegerNoise noise_;
};

// REQUIRES of `sum`: made with these bounds and this grid, and the origin 0.
class SumRelease {
 public:
  SumRelease(const ValueBounds& bounds, const Grid& grid, NoiseKind kind,
             const accounting::EpsilonDelta& budget);
  BoundedSum empty_sum() const { return sum_; }
  Release release(const BoundedSum& sum, RandomSource& random) const;
  const IntegerNoise& noise() const { return noise_; }

 private:
  BoundedSum sum_;
  IntegerNoise noise_;
};

// A noisy sum over a noisy count, half of the budget each. The sum is taken from the middle of the
// bounds, where it can be moved least. The mean is clamped to the bounds, all of which are the
// interval where the count is lost in its own noise.
class MeanRelease {
 public:
  MeanRelease(const ValueBounds& bounds, const Grid& grid, NoiseKind kind,
              const accounting::EpsilonDelta& budget);
  BoundedSum empty_sum() const { return sum_; }
  Release release(const BoundedSum& sum, std::int64_t count, RandomSource& random) const;
  const IntegerNoise& sum_noise() const { return sum_noise_; }
  const IntegerNoise& count_noise() const { return count_noise_; }

 private:
  ValueBounds bounds_;
  BoundedSum sum_;
  IntegerNoise sum_noise_;
  IntegerNoise count_noise_;
};

}  // namespace sotto::mechanisms
