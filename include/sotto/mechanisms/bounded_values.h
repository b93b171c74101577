// Numbers clamped to public bounds and rounded to a public grid, record by record, so that what is
// summed are whole numbers and the most that one record can add is known exactly.
#pragma once

#include <cstdint>

namespace sotto::mechanisms {

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

}  // namespace sotto::mechanisms
