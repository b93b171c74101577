// The places along an axis of a plot at which ε is computed.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/plot_quantity.h"

namespace sotto::cli {

// What the user said of one axis.
struct AxisFlags {
  FlagText from, to;
  std::size_t points = 0;
  report::Scale scale = report::Scale::kLinear;
};

struct PlotAxis {
  PlotQuantity quantity = PlotQuantity::kAlpha;
  report::Scale scale = report::Scale::kLinear;
  std::vector<double> places;  // ascending, at least two
  bool chosen = true;          // by the user; else a picture may leave out the ends
};

// Evenly along the scale; fewer where whole numbers would repeat. Throws UsageError, naming --from
// or --to, for a range that is empty or that one of the runs does not allow.
PlotAxis plot_axis(PlotQuantity quantity, const AxisFlags& flags, std::span<const PlannedRun> runs);

}  // namespace sotto::cli
