// What `sotto plot` draws.
#pragma once

#include <string>
#include <vector>

#include "cli/plot_plane.h"
#include "cli/plot_request.h"

namespace sotto::cli {

// "α = 13, ε ≤ 0.8726".
std::string optimum_text(const accounting::RdpEpsilon& optimum);

// SVG.
std::string curves_picture(const PlotRequest& request, const std::vector<PlotCurve>& curves);
std::string plane_picture(const PlotRequest& request, const PlotPlane& plane);

}  // namespace sotto::cli
