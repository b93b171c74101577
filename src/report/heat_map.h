// Numbers over a plane as an SVG picture: colours, and labelled lines of equal value.
#pragma once

#include <string>
#include <vector>

#include "report/contours.h"
#include "report/theme.h"

namespace sotto::report {

struct HeatMap {
  std::string title{};
  std::string subtitle{};
  std::string x_label{};
  std::string y_label{};
  std::string value_label{};     // short: it stands over the scale of colours
  Grid grid{};                   // holes stay without colour
  std::vector<double> levels{};  // of the contour lines; round_levels() finds some
  Theme theme = Theme::kLight;
};

// 960 pixels wide. Every level is named at the scale of colours; on its line as well, where there
// is room. Throws InvalidArgument as contour_lines does.
std::string svg(const HeatMap& map);

}  // namespace sotto::report
