// The curves of a plot: one for each combination of what the flags say, and what they cost.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/plot_axis.h"

namespace sotto::cli {

// Every flag but --alphas may have several values, separated by commas: all combinations. Throws
// UsageError.
std::vector<RunFlags> combinations(const RunFlags& flags);

// What sets a run apart, in words: "N = 60 000", "σ = 1", ...; always the same parts in the same
// order, some empty. Parts that `axes` show are left out.
std::vector<std::string> setting_parts(const PlannedRun& settings,
                                       std::span<const PlotQuantity> axes);

// What the runs have in common, for a subtitle; and what each has of its own, for a legend.
struct CurveNames {
  std::string common;
  std::vector<std::string> own;
};
// Throws UsageError if two runs differ in nothing.
CurveNames name_curves(std::span<const PlannedRun> runs, std::span<const PlotQuantity> axes);

struct PlotPoint {
  double x = 0;
  PlannedRun settings;
  accounting::PrivacyCost cost;
};

struct PlotCurve {
  std::string name;
  std::vector<PlotPoint> points;
  std::optional<accounting::RdpEpsilon> optimum;  // over α, if there is a finite one
};

// Called after each evaluation.
using Advance = std::function<void()>;

// ε along the axis. Throws NoValidAnalysis.
PlotCurve plot_curve(const PlannedRun& run, const PlotAxis& axis, const Advance& advance);

}  // namespace sotto::cli
