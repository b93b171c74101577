// The numbers behind a plot, as CSV and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "cli/plot_plane.h"
#include "cli/plot_request.h"

namespace sotto::cli {

// A header, and a line for each point: all settings, and ε. Numbers read back as they were;
// infinity is "Infinity", what does not apply is empty.
std::string csv_table(std::span<const PlotPoint> points);

nlohmann::ordered_json curves_json(const PlotRequest& request,
                                   const std::vector<PlotCurve>& curves);
nlohmann::ordered_json plane_json(const PlotRequest& request, const PlotPlane& plane);

}  // namespace sotto::cli
