// Counts, sums, means and quantiles as they may be published: noised once, with an honest error.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sotto/accounting/guarantee.h"
#include "sotto/core/random.h"
#include "sotto/mechanisms/integer_noise.h"

namespace sotto::mechanisms {

// Numbers are clamped to public bounds and rounded to a public grid, record by record, so that what
// is summed are whole numbers and the most that one record can add is known exactly.

// A lower and an upper end that everyone may know. Taken from the data they would reveal something
// about it.
class ValueBounds {
 public:
  // Throws InvalidArgument unless low < high, both finite and of size at most 1e15.
  ValueBounds(double low, double high);

  double low() const { return low_; }
  double high() const { return high_; }
  double middle() const { return low_ + (high_ - low_) / 2; }
  // What is not within the bounds is moved to the nearer end. REQUIRES: value is not NaN.
  double clamp(double value) const;

 private:
  double low_;
  double high_;
};

// The multiples of a step.
class Grid {
 public:
  // Throws InvalidArgument unless `step` is positive and finite.
  explicit Grid(double step);

  // The grid for values of size at most `largest`: the power of two that is 2^-33 to 2^-32 of it.
  // Whole numbers, halves and so on are on it as long as they fit. It depends on nothing else.
  static Grid for_values_up_to(double largest);

  double step() const { return step_; }
  // The nearest multiple, in steps. Increasing, so bounds on values are bounds on it.
  // REQUIRES: the result is of size at most 2^53.
  std::int64_t nearest(double value) const;
  double value(std::int64_t steps) const { return static_cast<double>(steps) * step_; }

 private:
  double step_;
};

// Sum of values minus an origin. One record more or less moves steps() by at most sensitivity().
class BoundedSum {
 public:
  // Throws InvalidArgument if the bounds are more than 2^40 steps of the grid from the origin, or
  // less than half a step (so that nothing could be learnt).
  BoundedSum(const ValueBounds& bounds, const Grid& grid, double origin);

  // A record's value; one that is not a number adds nothing.
  void add(double value);

  // The sum stays within ±2^61. Stopping there moves no sum further from a neighbour's: adding and
  // clamping are both 1-Lipschitz, whatever the order.
  std::int64_t steps() const { return steps_; }
  std::int64_t sensitivity() const { return sensitivity_; }
  const Grid& grid() const { return grid_; }
  double origin() const { return origin_; }

 private:
  ValueBounds bounds_;
  Grid grid_;
  double origin_;
  std::int64_t sensitivity_;
  std::int64_t steps_ = 0;
};

// The error is that of the noise alone: nothing about sampling is claimed. The interval holds what
// the data say with probability 95 % at least.
struct Release {
  double value = 0;
  double standard_error = 0;  // NaN for a quantile, whose error is one of ranks
  double low = 0;             // likewise its bounds
  double high = 0;
  // Of a quantile only: with probability 95 % its rank is off by at most this many records.
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

// A quantile, chosen by the exponential mechanism among public candidates.
//
// Values are clamped to the bounds and rounded to the nearest candidate: low, low + step, and so on
// up to high. A candidate with b values below it and e at it has the ranks b to b + e. Its loss is
// how far the rank that is asked for, quantile · n, is from them; one record more or less moves it
// by at most Δ = max(quantile, 1 - quantile). A candidate is drawn with a probability proportional
// to e^(-ε · loss / 2Δ), which is (ε, 0)-private (McSherry and Talwar 2007; Smith 2011). The draw
// is exact: whole numbers only, no rounding. docs/mechanisms.md has the proof.
class QuantileRelease {
 public:
  // Without a step there are kCandidates steps between the bounds. As IntegerNoise, it uses the
  // budget up to a factor of 1 - IntegerNoise::kMargin. Throws InvalidArgument unless
  // 0 < quantile < 1, 0 < ε < ∞, δ = 0, and there are from 2 to kMostCandidates candidates.
  QuantileRelease(double quantile, const ValueBounds& bounds, std::optional<double> step,
                  const accounting::EpsilonDelta& budget);

  std::size_t candidates() const;
  // The one that a value is rounded to. REQUIRES: not NaN.
  std::size_t nearest(double value) const;
  double candidate(std::size_t index) const;

  // REQUIRES of `counts`: the number of values at each candidate.
  Release release(const std::vector<std::int64_t>& counts, RandomSource& random) const;
  // What release() draws from, as doubles: for tests and simulation.
  std::vector<double> probabilities(const std::vector<std::int64_t>& counts) const;

  // The rank of the answer is off by more than this with probability `tail` at most, whatever the
  // values. REQUIRES: 0 < tail < 1.
  double rank_error(double tail) const;
  // How far one record moves a candidate's loss: Δ, in ranks.
  double sensitivity() const;

  static constexpr int kCandidates = 1000;
  static constexpr std::int64_t kMostCandidates = 100001;

 private:
  struct Law;
  std::shared_ptr<const Law> law_;  // immutable, so that copies may share it
};

}  // namespace sotto::mechanisms
