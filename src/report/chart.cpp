#include "report/chart.h"

#include <algorithm>

#include "report/frame.h"
#include "report/svg_elements.h"
#include "sotto/core/error.h"

namespace sotto::report {
namespace {

Range range_of_chart(const Chart& chart) {
  Range range{0, 0};
  for (const double height : chart.bars.heights) range.include(height);
  for (const auto& series : chart.points) {
    for (const auto& point : series.points) {
      range.include(point.low);
      range.include(point.value);
      range.include(point.high);
    }
  }
  if (range.high == range.low) range.high = range.low + 1;
  return range;
}

// The first kind of points in a colour, the other quiet.
const char* point_colour(const Colours& colours, std::size_t kind) {
  return kind == 0 ? colours.lines[1] : colours.quiet;
}

Frame frame_of(const Chart& chart, bool percent) {
  const Colours& colours = colours_of(chart.theme);
  FrameOptions options{.title = chart.title,
                       .subtitle = chart.subtitle,
                       .x_label = chart.x_label,
                       .y_label = chart.y_label,
                       .legend = {{chart.bars.label, colours.bar, Swatch::kBox}},
                       .theme = chart.theme};
  for (std::size_t i = 0; i < chart.points.size(); ++i) {
    options.legend.push_back({chart.points[i].label, point_colour(colours, i), Swatch::kDot});
  }
  return {options, Axis::of_names(chart.names, chart.bars.heights.size()),
          Axis(range_of_chart(chart), Scale::kLinear, {.percent = percent})};
}

std::string bars_in(const Frame& frame, const std::vector<double>& heights) {
  const double width = std::max(1.0, 0.8 * (frame.x(1) - frame.x(0)));
  std::string result = std::string("<g fill=\"") + frame.colours().bar + "\">\n";
  for (std::size_t i = 0; i < heights.size(); ++i) {
    if (heights[i] == 0) continue;
    const double top = frame.y(std::max(heights[i], 0.0));
    result += rectangle(frame.x(static_cast<double>(i)) - width / 2, top, width,
                        frame.y(std::min(heights[i], 0.0)) - top, "");
  }
  return result + "</g>\n";
}

std::string points_in(const Frame& frame, const std::vector<Point>& points,
                      const std::string& colour) {
  std::string result;
  for (const auto& point : points) {
    const double x = frame.x(point.position);
    result += line(x, frame.y(point.low), x, frame.y(point.high),
                   "stroke=\"" + colour + R"(" stroke-opacity="0.45")");
    result += circle(x, frame.y(point.value), 2.4, "fill=\"" + colour + "\"");
  }
  return result;
}

}  // namespace

std::string svg(const Chart& chart, bool percent) {
  check_argument(!chart.bars.heights.empty(), "a chart needs bars");
  const Frame frame = frame_of(chart, percent);
  std::string content = bars_in(frame, chart.bars.heights);
  for (std::size_t i = 0; i < chart.points.size(); ++i) {
    content += points_in(frame, chart.points[i].points, point_colour(frame.colours(), i));
  }
  return frame.svg(content);
}

}  // namespace sotto::report
