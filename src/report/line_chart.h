// Lines, or points, over a common axis, as an SVG picture.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/scale.h"
#include "report/theme.h"

namespace sotto::report {

enum class LineStyle {
  kSolid,
  kDashed,
  kDotted,
  kPoints,  // a dot for each pair, not connected
};

struct Line {
  std::string label{};  // in the legend; none: not in it
  std::vector<double> xs{};
  std::vector<double> ys{};  // as many; what the axes cannot show (infinities, or 0 on a
                             // logarithmic one) leaves a gap
  LineStyle style = LineStyle::kSolid;
};

// A dot with words beside it.
struct Marker {
  double x = 0;
  double y = 0;
  std::string label{};
  std::size_t line = 0;  // whose colour it has
};

struct LineChart {
  std::string title{};
  std::string subtitle{};
  std::string x_label{};
  std::string y_label{};
  std::vector<Line> lines{};  // six have colours of their own; the next six repeat them
  std::vector<Marker> markers{};
  Scale x_scale = Scale::kLinear;
  Scale y_scale = Scale::kLinear;
  bool x_percent = false;  // 0.5 is written 50 %
  bool y_percent = false;
  std::optional<double> y_most{};  // lines leave the picture there
  Theme theme = Theme::kLight;
};

// 960 pixels wide; the height depends on how many rows the legend takes. Throws InvalidArgument for
// a line with more xs than ys or the other way round.
std::string svg(const LineChart& chart);

}  // namespace sotto::report
