// The places along an axis of a plot at which ε is computed.
#pragma once

#include <span>
#include <vector>

#include "plots/quantity.h"

namespace sotto::plots {

struct Axis {
  Quantity quantity = Quantity::kAlpha;
  report::Scale scale = report::Scale::kLinear;
  std::vector<double> places{};  // ascending, at least two
  bool chosen = true;            // by the user; else a picture may leave out the ends
};

// The usual range of the quantity, as far as all of the runs allow it.
Range usual_range(Quantity quantity, std::span<const PlannedRun> runs);

// Evenly along the scale; fewer where whole numbers would repeat. Throws InvalidArgument unless
// low < high, points are at least 2, and a logarithmic scale begins above 0.
Axis axis_over(Quantity quantity, const Range& range, report::Scale scale, std::size_t points);

}  // namespace sotto::plots
