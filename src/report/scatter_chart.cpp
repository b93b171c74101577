#include "report/scatter_chart.h"

#include <algorithm>

#include "report/frame.h"
#include "report/label_boxes.h"
#include "report/svg_elements.h"

namespace sotto::report {
namespace {

// Room around what is shown. Nothing here is negative: room below must not suggest it.
Range with_room(Range range) {
  if (range.empty()) return range;
  const double room = 0.04 * (range.high - range.low);
  range.low = range.low >= 0 ? std::max(0.0, range.low - room) : range.low - room;
  range.high += room;
  return range;
}

Range xs_of(const ScatterChart& chart) {
  Range xs;
  for (const auto& point : chart.points) xs.include(point.x);
  for (const auto& point : chart.front) xs.include(point.x);
  return with_room(xs);
}

Range ys_of(const ScatterChart& chart) {
  Range ys;
  for (const auto& point : chart.points) {
    for (const double y : {point.low, point.y, point.high}) ys.include(y);
  }
  for (const auto& point : chart.front) ys.include(point.y);
  for (const auto& reference : chart.references) ys.include(reference.y);
  return with_room(ys);
}

class ScatterDrawing {
 public:
  explicit ScatterDrawing(const ScatterChart& chart) : chart_(chart), frame_(frame_of(chart)) {}

  std::string svg() const { return frame_.svg(references() + front() + points() + marks()); }

 private:
  static Frame frame_of(const ScatterChart& chart) {
    const auto& lines = colours_of(Theme::kLight).lines;
    FrameOptions options{.title = chart.title,
                         .subtitle = chart.subtitle,
                         .x_label = chart.x_label,
                         .y_label = chart.y_label};
    options.legend.push_back({chart.point_legend, lines[0], Swatch::kDot});
    if (!chart.front.empty()) options.legend.push_back({chart.front_legend, lines[1]});
    return {options, Axis(xs_of(chart), Scale::kLinear, {.ticks = kTicksAcross}),
            Axis(ys_of(chart), Scale::kLinear, {.percent = chart.percent})};
  }

  const Colours& colours() const { return frame_.colours(); }
  Pixel place_of(const ScatterPoint& point) const { return {frame_.x(point.x), frame_.y(point.y)}; }

  std::string references() const {
    std::string result;
    for (const auto& reference : chart_.references) {
      const double y = frame_.y(reference.y);
      result += line(frame_.left(), y, frame_.right(), y,
                     stroke(colours().quiet, 1.2, LineStyle::kDashed));
      result +=
          text(frame_.left() + 6, y - 6, reference.label, with_halo(colours().quiet, colours()));
    }
    return result;
  }

  std::string front() const {
    std::string path;
    for (const auto& point : chart_.front) {
      const auto [x, y] = place_of(point);
      path += (path.empty() ? "M" : "L") + number(x) + " " + number(y);
    }
    if (path.empty()) return "";
    return "<path d=\"" + path + R"(" fill="none" )" +
           stroke(colours().lines[1], 2.4, LineStyle::kSolid) + "/>\n";
  }

  std::string interval(const ScatterPoint& point) const {
    if (point.high <= point.low) return "";
    const std::string style =
        "stroke-opacity=\"0.5\" " + stroke(colours().lines[0], 1.5, LineStyle::kSolid);
    const double x = frame_.x(point.x);
    std::string result = line(x, frame_.y(point.low), x, frame_.y(point.high), style);
    for (const double end : {point.low, point.high}) {
      result += line(x - 4, frame_.y(end), x + 4, frame_.y(end), style);
    }
    return result;
  }

  std::string points() const {
    std::string result;
    for (const auto& point : chart_.points) {
      const auto [x, y] = place_of(point);
      result +=
          interval(point) + circle(x, y, 4.5, std::string("fill=\"") + colours().lines[0] + "\"");
    }
    return result;
  }

  // A ring, and words where they cover least.
  std::string marks() const {
    LabelBoxes boxes({frame_.left(), frame_.top(), frame_.right(), frame_.bottom()});
    for (const auto& point : chart_.points) boxes.add_obstacle(place_of(point));
    for (std::size_t i = 1; i < chart_.front.size(); ++i) {
      boxes.add_obstacle(place_of(chart_.front[i - 1]), place_of(chart_.front[i]));
    }
    std::string result;
    for (const auto& point : chart_.points) {
      if (point.label.empty()) continue;
      const auto [x, y] = place_of(point);
      const Box box = boxes.take_best(
          boxes_beside({x, y}, text_width(point.label, kFontSize), 1.2 * kFontSize));
      result += circle(x, y, 9, "fill=\"none\" " + stroke(colours().ink, 1.8, LineStyle::kSolid));
      result += text(box.left, box.bottom - 0.25 * kFontSize, point.label,
                     "font-weight=\"bold\" " + with_halo(colours().ink, colours()));
    }
    return result;
  }

  const ScatterChart& chart_;
  Frame frame_;
};

}  // namespace

std::string svg(const ScatterChart& chart) { return ScatterDrawing(chart).svg(); }

}  // namespace sotto::report
