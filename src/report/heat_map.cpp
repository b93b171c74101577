#include "report/heat_map.h"

#include <algorithm>
#include <cmath>

#include "report/frame.h"
#include "report/heat_cells.h"
#include "report/label_boxes.h"
#include "report/number_text.h"
#include "report/svg_elements.h"

namespace sotto::report {
namespace {

// Pixels.
constexpr double kBarGap = 26;
constexpr double kBarWidth = 20;
constexpr double kRoomForBar = 100;
constexpr double kLeastForLabel = 70;  // a contour line shorter than that has no label

Frame frame_of(const HeatMap& map) {
  return {FrameOptions{.title = map.title,
                       .subtitle = map.subtitle,
                       .x_label = map.x_label,
                       .y_label = map.y_label,
                       .theme = map.theme,
                       .room_at_right = kRoomForBar},
          Axis::between(map.grid.xs.front(), map.grid.xs.back(), map.grid.x_scale,
                        {.ticks = kTicksAcross}),
          Axis::between(map.grid.ys.front(), map.grid.ys.back(), map.grid.y_scale)};
}

using PixelLine = std::vector<Pixel>;

std::vector<PixelLine> pixel_lines(const HeatMap& map, const Frame& frame, double level) {
  std::vector<PixelLine> lines;
  for (const auto& line : contour_lines(map.grid, level)) {
    PixelLine pixels;
    for (const auto& point : line) pixels.push_back({frame.x(point.x), frame.y(point.y)});
    lines.push_back(std::move(pixels));
  }
  return lines;
}

double length(const PixelLine& line) {
  double sum = 0;
  for (std::size_t i = 1; i < line.size(); ++i) {
    sum += std::hypot(line[i].x - line[i - 1].x, line[i].y - line[i - 1].y);
  }
  return sum;
}

std::string path(const std::vector<PixelLine>& lines) {
  std::string way;
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      way += (i == 0 ? "M" : "L") + number(line[i].x) + " " + number(line[i].y);
    }
  }
  return way;
}

Box box_around(const Pixel& centre, const std::string& label) {
  const double half_width = text_width(label, kFontSize) / 2 + 4;
  const double half_height = kFontSize * 0.7;
  return {centre.x - half_width, centre.y - half_height, centre.x + half_width,
          centre.y + half_height};
}

// A label on the line, as near to its middle as there is a free place; none if there is not.
std::string contour_label(const PixelLine& line, const std::string& label, const Colours& colours,
                          LabelBoxes& boxes) {
  const std::size_t middle = line.size() / 2;
  for (std::size_t away = 0; away <= middle; ++away) {
    for (const std::size_t i : {middle + away, middle - away}) {
      if (i >= line.size() || !boxes.is_free(box_around(line[i], label))) continue;
      boxes.take(box_around(line[i], label));
      return text(line[i].x, line[i].y + kFontSize * 0.35, label,
                  "text-anchor=\"middle\" " + with_halo(colours.ink, colours));
    }
  }
  return "";
}

std::string contours(const HeatMap& map, const Frame& frame) {
  std::string ways;
  std::string labels;
  LabelBoxes boxes({frame.left(), frame.top(), frame.right(), frame.bottom()});
  for (const double level : map.levels) {
    const auto lines = pixel_lines(map, frame, level);
    if (lines.empty()) continue;
    ways += "<path d=\"" + path(lines) + "\"/>\n";
    const auto& longest = *std::max_element(
        lines.begin(), lines.end(),
        [](const PixelLine& one, const PixelLine& other) { return length(one) < length(other); });
    if (length(longest) < kLeastForLabel) continue;
    labels += contour_label(longest, number_text(level), frame.colours(), boxes);
  }
  // Twice, below in the colour of the ground: so they are seen on any colour.
  const auto drawn = [&](const char* colour, double width) {
    return std::string(R"(<g fill="none" stroke-linejoin="round" stroke-opacity="0.7" )") +
           stroke(colour, width, LineStyle::kSolid) + ">\n" + ways + "</g>\n";
  };
  return drawn(frame.colours().background, 3.4) + drawn(frame.colours().ink, 1.6) + labels;
}

// Where there is not room for every number, these matter most.
std::vector<double> powers_of_ten_first(std::vector<double> levels) {
  std::stable_partition(levels.begin(), levels.end(), [](double level) {
    const double exponent = std::log10(level);
    return std::abs(exponent - std::round(exponent)) < 1e-9;
  });
  return levels;
}

std::string colour_bar(const HeatMap& map, const Frame& frame) {
  constexpr int kSteps = 64;
  const double left = frame.right() + kBarGap;
  const double height = frame.bottom() - frame.top();
  const auto place = [&](double share) { return frame.bottom() - share * height; };
  std::string result = "<g shape-rendering=\"crispEdges\">\n";
  for (int i = 0; i < kSteps; ++i) {
    result += rectangle(left, place((i + 1.0) / kSteps), kBarWidth, height / kSteps,
                        "fill=\"" + heat_colour(map.theme, (i + 0.5) / kSteps) + "\"");
  }
  result += "</g>\n";
  const Range range = value_range(map.grid);
  std::vector<double> taken;
  for (const double level : powers_of_ten_first(map.levels)) {
    if (level < range.low || level > range.high) continue;
    const double y = place(colour_share(map.grid, range, level));
    result += line(left, y, left + kBarWidth + 4, y,
                   std::string("stroke=\"") + frame.colours().ink + "\"");
    const bool touches = std::any_of(taken.begin(), taken.end(), [&](double other) {
      return std::abs(other - y) < kSmallFontSize;
    });
    if (touches) continue;
    taken.push_back(y);
    result += text(left + kBarWidth + 8, y + 5, number_text(level),
                   "font-size=\"" + number(kSmallFontSize) + "\"");
  }
  return result +
         text(left + kBarWidth / 2, frame.top() - 10, map.value_label, R"(text-anchor="middle")");
}

}  // namespace

std::string svg(const HeatMap& map) {
  map.grid.validate();
  const Frame frame = frame_of(map);
  return frame.svg(heat_cells(map.grid, frame, map.theme) + contours(map, frame) +
                   (value_range(map.grid).empty() ? "" : colour_bar(map, frame)));
}

}  // namespace sotto::report
