// The numbers behind a plot, as CSV and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "plots/plane.h"

namespace sotto::plots {

// A header, and a line for each point: all settings, and ε. Numbers read back as they were;
// infinity is "Infinity", what does not apply is empty.
std::string csv_table(std::span<const Point> points);

nlohmann::ordered_json curves_json(const EpsilonPlot& plot, const std::vector<Curve>& curves);
nlohmann::ordered_json plane_json(const EpsilonPlot& plot, const Plane& plane);

}  // namespace sotto::plots
