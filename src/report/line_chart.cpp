#include "report/line_chart.h"

#include "report/cut_line.h"
#include "report/frame.h"
#include "report/label_boxes.h"
#include "report/on_scale.h"
#include "report/svg_elements.h"
#include "sotto/core/error.h"

namespace sotto::report {
namespace {

Range range_of(const LineChart& chart, bool of_x) {
  Range range;
  for (const auto& line : chart.lines) {
    for (std::size_t i = 0; i < line.xs.size(); ++i) {
      if (!is_on_scale(chart.x_scale, line.xs[i]) || !is_on_scale(chart.y_scale, line.ys[i])) {
        continue;
      }
      range.include(of_x ? line.xs[i] : line.ys[i]);
    }
  }
  return range;
}

std::string line_colour(const Colours& colours, std::size_t i) {
  return colours.lines[i % colours.lines.size()];
}

// The second time round the colours, solid lines are dashed.
LineStyle style_of(const LineChart& chart, std::size_t i) {
  const LineStyle style = chart.lines[i].style;
  const bool again = i >= colours_of(chart.theme).lines.size();
  return again && style == LineStyle::kSolid ? LineStyle::kDashed : style;
}

Frame frame_of(const LineChart& chart) {
  const Colours& colours = colours_of(chart.theme);
  FrameOptions options{.title = chart.title,
                       .subtitle = chart.subtitle,
                       .x_label = chart.x_label,
                       .y_label = chart.y_label,
                       .theme = chart.theme};
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    if (chart.lines[i].label.empty()) continue;
    const LineStyle style = style_of(chart, i);
    options.legend.push_back({chart.lines[i].label, line_colour(colours, i),
                              style == LineStyle::kPoints ? Swatch::kDot : Swatch::kLine, style});
  }
  return {options,
          Axis(range_of(chart, true), chart.x_scale,
               {.ticks = kTicksAcross, .percent = chart.x_percent}),
          Axis(range_of(chart, false), chart.y_scale, {.percent = chart.y_percent})};
}

// Stretches of a line between its gaps.
std::vector<std::vector<Pixel>> stretches_of(const Line& line, const Frame& frame) {
  std::vector<std::vector<Pixel>> stretches;
  bool drawing = false;
  for (std::size_t i = 0; i < line.xs.size(); ++i) {
    const bool shown = frame.x_axis().can_show(line.xs[i]) && frame.y_axis().can_show(line.ys[i]);
    if (shown && !drawing) stretches.emplace_back();
    if (shown) stretches.back().push_back({frame.x(line.xs[i]), frame.y(line.ys[i])});
    drawing = shown;
  }
  return stretches;
}

std::string dots(const std::vector<Pixel>& pixels, const std::string& colour) {
  std::string result;
  for (const auto& pixel : pixels) {
    result += circle(pixel.x, pixel.y, 4, "fill=\"" + colour + "\"");
  }
  return result;
}

std::string path(const std::vector<Pixel>& pixels) {
  std::string result;
  for (const auto& pixel : pixels) {
    result += (result.empty() ? "M" : "L") + number(pixel.x) + " " + number(pixel.y);
  }
  return result;
}

// A pair between two gaps has no line; it is a dot.
std::string line_in(const Frame& frame, const Line& line, LineStyle style,
                    const std::string& colour) {
  std::string way;
  std::string result;
  for (const auto& stretch : stretches_of(line, frame)) {
    const bool alone = style == LineStyle::kPoints || stretch.size() == 1;
    if (alone) {
      result += dots(stretch, colour);
    } else {
      way += path(stretch);
    }
  }
  if (way.empty()) return result;
  return result + "<path d=\"" + way + R"(" fill="none" stroke-linejoin="round" )" +
         stroke(colour, style == LineStyle::kDotted ? 3 : 2.4, style) + "/>\n";
}

LabelBoxes boxes_around(const LineChart& chart, const Frame& frame) {
  LabelBoxes boxes({frame.left(), frame.top(), frame.right(), frame.bottom()});
  for (const auto& line : chart.lines) {
    for (const auto& stretch : stretches_of(line, frame)) {
      for (std::size_t i = 1; i < stretch.size(); ++i) {
        boxes.add_obstacle(stretch[i - 1], stretch[i]);
      }
      if (stretch.size() == 1) boxes.add_obstacle(stretch[0]);
    }
  }
  return boxes;
}

std::string markers_in(const Frame& frame, const LineChart& chart) {
  std::string dots;
  std::string words;
  LabelBoxes boxes = boxes_around(chart, frame);
  for (const auto& marker : chart.markers) {
    if (!frame.x_axis().can_show(marker.x) || !frame.y_axis().can_show(marker.y)) continue;
    const Pixel dot{frame.x(marker.x), frame.y(marker.y)};
    const std::string colour = line_colour(frame.colours(), marker.line);
    dots += circle(
        dot.x, dot.y, 6,
        "fill=\"" + colour + "\" stroke=\"" + frame.colours().background + R"(" stroke-width="2")");
    const Box box =
        boxes.take_best(boxes_beside(dot, text_width(marker.label, kFontSize), kFontSize * 1.3));
    words += text((box.left + box.right) / 2, (box.top + box.bottom) / 2 + kFontSize * 0.35,
                  marker.label, "text-anchor=\"middle\" " + with_halo(colour, frame.colours()));
  }
  return dots + words;
}

}  // namespace

std::string svg(const LineChart& chart) {
  for (const auto& line : chart.lines) {
    check_argument(line.xs.size() == line.ys.size(), "line '", line.label, "': ", line.xs.size(),
                   " xs and ", line.ys.size(), " ys");
  }
  LineChart shown = chart;
  if (chart.y_most) {
    for (auto& line : shown.lines) {
      line = cut_above(line, *chart.y_most, chart.x_scale, chart.y_scale);
    }
  }
  const Frame frame = frame_of(shown);
  std::string content;
  for (std::size_t i = 0; i < shown.lines.size(); ++i) {
    content += line_in(frame, shown.lines[i], style_of(shown, i), line_colour(frame.colours(), i));
  }
  return frame.svg(content + markers_in(frame, shown));
}

}  // namespace sotto::report
