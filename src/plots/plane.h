// ε over batch size and noise multiplier.
#pragma once

#include <vector>

#include "plots/curves.h"
#include "report/contours.h"

namespace sotto::plots {

struct PlaneContour {
  double epsilon = 0;
  std::vector<report::ContourLine> lines;
};

struct Plane {
  std::vector<Point> points;  // row after row of one noise multiplier
  report::Grid grid;          // their ε
  std::vector<PlaneContour> contours;
};

// REQUIRES: plot.y, one run. Throws NoValidAnalysis.
Plane plane_of(const EpsilonPlot& plot, const Advance& advance);

}  // namespace sotto::plots
