// Lines over a common axis, as an SVG picture.
#pragma once

#include <string>
#include <vector>

namespace sotto::report {

struct Line {
  std::string label;
  std::vector<double> xs;
  std::vector<double> ys;  // as many; values that are not finite leave a gap
};

struct LineChart {
  std::string title;
  std::string subtitle;
  std::string x_label;
  std::string y_label;
  std::vector<Line> lines;  // at most six have colours of their own
};

// Throws InvalidArgument for a line with more xs than ys or the other way round.
std::string svg(const LineChart& chart);

}  // namespace sotto::report
