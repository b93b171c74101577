// Points in a plane, with bars for what is uncertain, as an SVG picture.
#pragma once

#include <string>
#include <vector>

namespace sotto::report {

struct ScatterPoint {
  double x = 0;
  double y = 0;
  double low = 0;  // ends of the bar through it; both y for none
  double high = 0;
  std::string label = {};  // written beside it, and a ring around it; "" for neither
};

// A height to compare with.
struct ReferenceLine {
  double y = 0;
  std::string label;
};

struct ScatterChart {
  std::string title;
  std::string subtitle;
  std::string x_label;
  std::string y_label;
  std::string point_legend;
  std::string front_legend;
  bool percent = false;  // y is a share
  std::vector<ScatterPoint> points = {};
  std::vector<ScatterPoint> front = {};  // joined by a line, in this order
  std::vector<ReferenceLine> references = {};
};

// Throws InvalidArgument for numbers that are not finite.
std::string svg(const ScatterChart& chart);

}  // namespace sotto::report
