// The flags of a plot: those of a run, several values each, and those of its axes.
#pragma once

#include <span>
#include <vector>

#include "cli/run_flags.h"
#include "plots/axis.h"

namespace sotto::cli {

// Every flag but --alphas may have several values, separated by commas: all combinations. Throws
// UsageError.
std::vector<RunFlags> combinations(const RunFlags& flags);

// Refuses flags that say what the axis is to say, and fills in whatever lets the rest be read.
// Throws UsageError.
void leave_to_axis(plots::Quantity quantity, RunFlags& flags);

// What the user said of one axis.
struct AxisFlags {
  FlagText from, to;
  std::size_t points = 0;
  report::Scale scale = report::Scale::kLinear;
};

// Throws UsageError, naming --from or --to, for a range that is empty or that one of the runs does
// not allow.
plots::Axis read_axis(plots::Quantity quantity, const AxisFlags& flags,
                      std::span<const PlannedRun> runs);

}  // namespace sotto::cli
