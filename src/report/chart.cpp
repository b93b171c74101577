#include "sotto/report/chart.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "report/svg_elements.h"
#include "sotto/core/error.h"

namespace sotto::report {

namespace {

// Pixels.
constexpr double kWidth = 960;
constexpr double kHeight = 480;
constexpr double kLeft = 76;
constexpr double kRight = 24;
constexpr double kTop = 84;
constexpr double kBottom = 64;

constexpr const char* kBarColour = "#b8cbe0";
constexpr std::array kPointColours = {"#b5342b", "#6b7280"};

Range range_of(const Chart& chart) {
  Range range;
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

class Drawing {
 public:
  Drawing(const Chart& chart, bool percent)
      : chart_(chart), percent_(percent), step_(tick_step(range_of(chart))) {
    const Range range = range_of(chart);
    low_ = std::floor(range.low / step_) * step_;
    high_ = std::ceil(range.high / step_) * step_;
  }

  std::string svg() const {
    return head() + value_axis() + bars() + points() + name_axis() + legend() + "</svg>\n";
  }

 private:
  double x(double position) const {
    const auto count = static_cast<double>(chart_.bars.heights.size());
    return kLeft + (position + 0.5) / count * (kWidth - kLeft - kRight);
  }
  double y(double value) const {
    return kHeight - kBottom - (value - low_) / (high_ - low_) * (kHeight - kTop - kBottom);
  }

  std::string head() const {
    return R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 480" width="960" )"
           R"(height="480" font-family="Helvetica, Arial, sans-serif" font-size="13" )"
           "fill=\"#1f2933\">\n<rect width=\"960\" height=\"480\" fill=\"#ffffff\"/>\n" +
           text(kLeft, 30, chart_.title, R"(font-size="18" font-weight="bold")") +
           text(kLeft, 50, chart_.subtitle, "fill=\"#52606d\"");
  }

  std::string value_axis() const {
    std::string result;
    const auto ticks = static_cast<int>(std::lround((high_ - low_) / step_));
    for (int tick = 0; tick <= ticks; ++tick) {
      const double rough = low_ + tick * step_;
      const double value = std::abs(rough) < step_ / 2 ? 0 : rough;
      result += line(kLeft, y(value), kWidth - kRight, y(value),
                     value == 0 ? "stroke=\"#52606d\"" : "stroke=\"#e4e7eb\"");
      result += text(kLeft - 8, y(value) + 4, tick_text(value, step_, percent_),
                     R"(text-anchor="end" fill="#52606d")");
    }
    const double middle = (kTop + kHeight - kBottom) / 2;
    return result + "<g transform=\"rotate(-90 18 " + number(middle) + ")\">" +
           text(18, middle, chart_.y_label, R"(text-anchor="middle" fill="#52606d")") + "</g>\n";
  }

  std::string bars() const {
    const auto count = static_cast<double>(chart_.bars.heights.size());
    const double width = std::max(1.0, 0.8 * (kWidth - kLeft - kRight) / count);
    std::string result = std::string("<g fill=\"") + kBarColour + "\">\n";
    for (std::size_t i = 0; i < chart_.bars.heights.size(); ++i) {
      const double height = chart_.bars.heights[i];
      if (height == 0) continue;
      const double top = y(std::max(height, 0.0));
      result += "<rect x=\"" + number(x(static_cast<double>(i)) - width / 2) + "\" y=\"" +
                number(top) + "\" width=\"" + number(width) + "\" height=\"" +
                number(y(std::min(height, 0.0)) - top) + "\"/>\n";
    }
    return result + "</g>\n";
  }

  std::string points() const {
    std::string result;
    for (std::size_t i = 0; i < chart_.points.size(); ++i) {
      const std::string colour = kPointColours[std::min(i, kPointColours.size() - 1)];
      for (const auto& point : chart_.points[i].points) {
        result += line(x(point.position), y(point.low), x(point.position), y(point.high),
                       "stroke=\"" + colour + R"(" stroke-opacity="0.45")");
        result += "<circle cx=\"" + number(x(point.position)) + "\" cy=\"" +
                  number(y(point.value)) + R"(" r="2.4" fill=")" + colour + "\"/>\n";
      }
    }
    return result;
  }

  std::string name_axis() const {
    std::string result;
    const std::size_t every = std::max<std::size_t>(1, (chart_.names.size() + 9) / 10);
    for (std::size_t i = 0; i < chart_.names.size(); i += every) {
      result += text(x(static_cast<double>(i)), kHeight - kBottom + 20, chart_.names[i],
                     R"(text-anchor="middle" fill="#52606d")");
    }
    return result + text((kLeft + kWidth - kRight) / 2, kHeight - 16, chart_.x_label,
                         R"(text-anchor="middle" fill="#52606d")");
  }

  std::string legend() const {
    double left = kLeft;
    std::string result = "<rect x=\"" + number(left) + R"(" y="60" width="12" height="12" fill=")" +
                         kBarColour + "\"/>\n" + text(left + 18, 71, chart_.bars.label, "");
    left += 40 + 7.5 * static_cast<double>(chart_.bars.label.size());
    for (std::size_t i = 0; i < chart_.points.size(); ++i) {
      result += "<circle cx=\"" + number(left + 6) + R"(" cy="66" r="4" fill=")" +
                kPointColours[std::min(i, kPointColours.size() - 1)] + "\"/>\n" +
                text(left + 18, 71, chart_.points[i].label, "");
      left += 40 + 7.5 * static_cast<double>(chart_.points[i].label.size());
    }
    return result;
  }

  const Chart& chart_;
  bool percent_;
  double step_;
  double low_ = 0;
  double high_ = 0;
};

}  // namespace

std::string svg(const Chart& chart, bool percent) {
  check_argument(!chart.bars.heights.empty(), "a chart needs bars");
  return Drawing(chart, percent).svg();
}

}  // namespace sotto::report
