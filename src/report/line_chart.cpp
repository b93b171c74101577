#include "sotto/report/line_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "report/svg_elements.h"
#include "sotto/core/error.h"

namespace sotto::report {
namespace {

// Pixels.
constexpr double kLineWidth = 960;
constexpr double kLineHeight = 480;
constexpr double kLineLeft = 76;
constexpr double kLineRight = 24;
constexpr double kLineTop = 96;
constexpr double kLineBottom = 64;
constexpr std::array kLineColours = {"#1f5fa8", "#b5342b", "#2e7d32",
                                     "#7b3fa0", "#b26a00", "#455a64"};
constexpr const char* kQuiet = R"(fill="#52606d")";

// The range of all finite values; from 0 to 1 if there are none.
template <typename Values>
Range range_of_lines(const LineChart& chart, Values values) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Range range{kInfinity, -kInfinity};
  for (const auto& line : chart.lines) {
    for (const double value : values(line)) {
      if (std::isfinite(value)) range.include(value);
    }
  }
  if (range.low > range.high) return {0, 1};
  if (range.low == range.high) return {range.low - 0.5, range.high + 0.5};
  return range;
}

// An axis that begins and ends at ticks.
struct Axis {
  explicit Axis(const Range& range) : step(tick_step(range)) {
    low = std::floor(range.low / step) * step;
    high = std::ceil(range.high / step) * step;
  }
  double share(double value) const { return (value - low) / (high - low); }
  int ticks() const { return static_cast<int>(std::lround((high - low) / step)); }
  double tick(int i) const {
    const double rough = low + i * step;
    return std::abs(rough) < step / 2 ? 0 : rough;
  }

  double step;
  double low = 0;
  double high = 0;
};

class LineDrawing {
 public:
  explicit LineDrawing(const LineChart& chart)
      : chart_(chart),
        x_axis_(range_of_lines(chart, [](const Line& line) { return line.xs; })),
        y_axis_(range_of_lines(chart, [](const Line& line) { return line.ys; })) {}

  std::string svg() const { return head() + axes() + lines() + legend() + "</svg>\n"; }

 private:
  double x(double value) const {
    return kLineLeft + x_axis_.share(value) * (kLineWidth - kLineLeft - kLineRight);
  }
  double y(double value) const {
    return kLineHeight - kLineBottom -
           y_axis_.share(value) * (kLineHeight - kLineTop - kLineBottom);
  }

  std::string head() const {
    return R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 480" width="960" )"
           R"(height="480" font-family="Helvetica, Arial, sans-serif" font-size="13" )"
           "fill=\"#1f2933\">\n<rect width=\"960\" height=\"480\" fill=\"#ffffff\"/>\n" +
           text(kLineLeft, 30, chart_.title, R"(font-size="18" font-weight="bold")") +
           text(kLineLeft, 50, chart_.subtitle, kQuiet);
  }

  std::string axes() const {
    std::string result;
    for (int i = 0; i <= y_axis_.ticks(); ++i) {
      const double value = y_axis_.tick(i);
      result += line(kLineLeft, y(value), kLineWidth - kLineRight, y(value),
                     value == 0 ? "stroke=\"#52606d\"" : "stroke=\"#e4e7eb\"");
      result += text(kLineLeft - 8, y(value) + 4, tick_text(value, y_axis_.step, false),
                     R"(text-anchor="end" fill="#52606d")");
    }
    for (int i = 0; i <= x_axis_.ticks(); ++i) {
      const double value = x_axis_.tick(i);
      result +=
          text(x(value), kLineHeight - kLineBottom + 20, tick_text(value, x_axis_.step, false),
               R"(text-anchor="middle" fill="#52606d")");
    }
    result += text((kLineLeft + kLineWidth - kLineRight) / 2, kLineHeight - 16, chart_.x_label,
                   R"(text-anchor="middle" fill="#52606d")");
    const double middle = (kLineTop + kLineHeight - kLineBottom) / 2;
    return result + "<g transform=\"rotate(-90 18 " + number(middle) + ")\">" +
           text(18, middle, chart_.y_label, R"(text-anchor="middle" fill="#52606d")") + "</g>\n";
  }

  static std::string colour(std::size_t i) { return kLineColours[i % kLineColours.size()]; }

  std::string lines() const {
    std::string result;
    for (std::size_t i = 0; i < chart_.lines.size(); ++i) {
      const auto& line = chart_.lines[i];
      std::string path;
      bool drawing = false;
      for (std::size_t p = 0; p < line.xs.size(); ++p) {
        const bool finite = std::isfinite(line.xs[p]) && std::isfinite(line.ys[p]);
        if (finite)
          path += (drawing ? "L" : "M") + number(x(line.xs[p])) + " " + number(y(line.ys[p]));
        drawing = finite;
      }
      result += "<path d=\"" + path + "\" fill=\"none\" stroke-width=\"2\" stroke=\"" + colour(i) +
                "\"/>\n";
    }
    return result;
  }

  std::string legend() const {
    double left = kLineLeft;
    std::string result;
    for (std::size_t i = 0; i < chart_.lines.size(); ++i) {
      result += line(left, 71, left + 18, 71, "stroke-width=\"3\" stroke=\"" + colour(i) + "\"") +
                text(left + 24, 75, chart_.lines[i].label, "");
      left += 48 + 7.5 * static_cast<double>(chart_.lines[i].label.size());
    }
    return result;
  }

  const LineChart& chart_;
  Axis x_axis_;
  Axis y_axis_;
};

}  // namespace

std::string svg(const LineChart& chart) {
  for (const auto& line : chart.lines) {
    check_argument(line.xs.size() == line.ys.size(), "line '", line.label, "': ", line.xs.size(),
                   " xs and ", line.ys.size(), " ys");
  }
  return LineDrawing(chart).svg();
}

}  // namespace sotto::report
