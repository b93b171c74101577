// What `sotto plot` draws.
#pragma once

#include <string>
#include <vector>

#include "plots/plane.h"

namespace sotto::plots {

// "α = 13, ε ≤ 0.8726".
std::string optimum_text(const accounting::RdpEpsilon& optimum);

// SVG.
std::string curves_picture(const EpsilonPlot& plot, const std::vector<Curve>& curves);
std::string plane_picture(const EpsilonPlot& plot, const Plane& plane);

}  // namespace sotto::plots
