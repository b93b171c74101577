// ε over batch size and noise multiplier.
#pragma once

#include <vector>

#include "cli/plot_curves.h"
#include "cli/plot_request.h"
#include "report/contours.h"

namespace sotto::cli {

struct PlaneContour {
  double epsilon = 0;
  std::vector<report::ContourLine> lines;
};

struct PlotPlane {
  std::vector<PlotPoint> points;  // row after row of one noise multiplier
  report::Grid grid;              // their ε
  std::vector<PlaneContour> contours;
};

// REQUIRES: request.y. Throws NoValidAnalysis.
PlotPlane plot_plane(const PlotRequest& request, const Advance& advance);

}  // namespace sotto::cli
