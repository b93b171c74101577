// The curves of a plot: ε of each run along the axis.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plots/epsilon_plot.h"

namespace sotto::plots {

// What sets a run apart, in words: "N = 60 000", "σ = 1", ...; always the same parts in the same
// order, some empty. Parts that `axes` show are left out.
std::vector<std::string> setting_parts(const PlannedRun& settings, std::span<const Quantity> axes);

// What the runs have in common, for a subtitle; and what each has of its own, for a legend.
struct CurveNames {
  std::string common;
  std::vector<std::string> own;
};
// Throws InvalidArgument if two runs differ in nothing. REQUIRES: a run.
CurveNames name_curves(std::span<const PlannedRun> runs, std::span<const Quantity> axes);

struct Point {
  double x = 0;
  PlannedRun settings;
  accounting::PrivacyCost cost;
};

struct Curve {
  std::string name;
  std::vector<Point> points;
  std::optional<accounting::RdpEpsilon> optimum;  // over α, if there is a finite one
};

// Called after each evaluation.
using Advance = std::function<void()>;

// ε along the axis, without a name. Throws NoValidAnalysis.
Curve curve_of(const PlannedRun& run, const Axis& axis, const Advance& advance);
// One for each run. Throws InvalidArgument as name_curves(), NoValidAnalysis.
std::vector<Curve> curves_of(const EpsilonPlot& plot, const Advance& advance);

}  // namespace sotto::plots
