// A chart as an SVG picture: bars, and points with intervals, over the same axis.
#pragma once

#include <string>
#include <vector>

#include "report/theme.h"

namespace sotto::report {

struct Bars {
  std::string label{};
  std::vector<double> heights{};
};

struct Point {
  double position = 0;  // of a bar: 0 is the first
  double value = 0;
  double low = 0;  // of the interval around it
  double high = 0;
};

struct Points {
  std::string label{};
  std::vector<Point> points{};
};

struct Chart {
  std::string title{};
  std::string subtitle{};
  std::string x_label{};
  std::string y_label{};
  std::vector<std::string> names{};  // of the bars; a few are written below the axis
  Bars bars{};
  std::vector<Points> points{};  // at most two kinds
  Theme theme = Theme::kLight;
};

// Values are drawn in percent if `percent`. Throws InvalidArgument for a chart without bars or with
// numbers that are not finite.
std::string svg(const Chart& chart, bool percent);

}  // namespace sotto::report
