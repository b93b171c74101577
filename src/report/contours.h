// Lines of equal value on a grid of numbers (marching squares).
#pragma once

#include <cstddef>
#include <vector>

#include "report/scale.h"

namespace sotto::report {

// Numbers over xs × ys. Between them values are interpolated, each axis and the values themselves
// on their scales.
struct Grid {
  std::vector<double> xs{};      // at least two, ascending
  std::vector<double> ys{};      // likewise
  std::vector<double> values{};  // (ys, xs), row after row; what its scale cannot show (infinities,
                                 // 0 on a logarithmic one) leaves a hole
  Scale x_scale = Scale::kLinear;
  Scale y_scale = Scale::kLinear;
  Scale value_scale = Scale::kLinear;

  double value(std::size_t ix, std::size_t iy) const { return values[iy * xs.size() + ix]; }
  // Throws InvalidArgument unless all is as said above.
  void validate() const;
};

struct ContourPoint {
  double x = 0;
  double y = 0;
};

// One connected line; a closed one ends where it begins.
using ContourLine = std::vector<ContourPoint>;

// Every line on which the value is `level`. Throws InvalidArgument as validate() does, or if the
// scale of values cannot show `level`.
std::vector<ContourLine> contour_lines(const Grid& grid, double level);

// Round levels strictly between low and high, as people choose them: 1, 2, 3, 5, 8, 10, 20, ...; at
// most `most` of them, fewer to a decade if need be. REQUIRES: 0 < low <= high, both finite.
std::vector<double> round_levels(double low, double high, std::size_t most = 12);

}  // namespace sotto::report
