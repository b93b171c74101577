#include "sotto/report/scatter_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "report/svg_elements.h"
#include "sotto/core/error.h"

namespace sotto::report {
namespace {

// Pixels.
constexpr double kScatterWidth = 960;
constexpr double kScatterHeight = 480;
constexpr double kScatterLeft = 76;
constexpr double kScatterRight = 24;
constexpr double kScatterTop = 96;
constexpr double kScatterBottom = 64;
constexpr double kLetter = 7.2;  // about as wide as one
constexpr const char* kPointColour = "#1f5fa8";
constexpr const char* kFrontColour = "#b26a00";
constexpr const char* kBestColour = "#b5342b";
constexpr const char* kMuted = "fill=\"#52606d\"";

// From low to high in steps of 1, 2 or 5 times a power of ten, with room around what is shown.
class ScatterAxis {
 public:
  ScatterAxis(std::vector<double> values, bool percent) : percent_(percent) {
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const double value : values) {
      check_argument(std::isfinite(value), "a chart's values must be finite, got ", value);
      low = std::min(low, value);
      high = std::max(high, value);
    }
    if (values.empty()) low = 0, high = 1;
    const double room = high > low ? 0.04 * (high - low) : std::max(0.05 * std::abs(high), 1e-3);
    // Nothing here is negative: room below must not suggest it.
    lay(low >= 0 ? std::max(low - room, 0.0) : low - room, high + room);
  }

  double share(double value) const { return (value - low_) / (high_ - low_); }
  int ticks() const { return static_cast<int>(std::lround((high_ - low_) / step_)); }
  double tick(int i) const { return low_ + i * step_; }

  std::string tick_label(int i) const {
    const double scale = percent_ ? 100 : 1;
    const int decimals =
        std::max(0, static_cast<int>(-std::floor(std::log10(step_ * scale) + 1e-9)));
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.*f", decimals, tick(i) * scale + 0.0);
    return std::string(text.data()) + (percent_ ? " %" : "");
  }

 private:
  void lay(double low, double high) {
    const double rough = (high - low) / 6;
    const double power = std::pow(10, std::floor(std::log10(rough)));
    step_ = 10 * power;
    for (const double factor : {5.0, 2.0, 1.0}) {
      if (factor * power >= rough) step_ = factor * power;
    }
    low_ = std::floor(low / step_ + 1e-9) * step_;
    high_ = std::ceil(high / step_ - 1e-9) * step_;
  }

  bool percent_;
  double step_ = 1;
  double low_ = 0;
  double high_ = 1;
};

std::vector<double> xs_of(const ScatterChart& chart) {
  std::vector<double> xs;
  for (const auto& point : chart.points) xs.push_back(point.x);
  for (const auto& point : chart.front) xs.push_back(point.x);
  return xs;
}

std::vector<double> ys_of(const ScatterChart& chart) {
  std::vector<double> ys;
  for (const auto& point : chart.points) ys.insert(ys.end(), {point.low, point.y, point.high});
  for (const auto& point : chart.front) ys.push_back(point.y);
  for (const auto& reference : chart.references) ys.push_back(reference.y);
  return ys;
}

double width_of(const std::string& text) {
  return kLetter * static_cast<double>(std::count_if(text.begin(), text.end(), [](char byte) {
           return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
         }));
}

std::string circle(double x, double y, double radius, const std::string& style) {
  return "<circle cx=\"" + number(x) + "\" cy=\"" + number(y) + "\" r=\"" + number(radius) + "\" " +
         style + "/>\n";
}

class ScatterDrawing {
 public:
  explicit ScatterDrawing(const ScatterChart& chart)
      : chart_(chart), x_axis_(xs_of(chart), false), y_axis_(ys_of(chart), chart.percent) {}

  std::string svg() const {
    return head() + y_ticks() + x_ticks() + references() + front() + points() + marks() + legend() +
           "</svg>\n";
  }

 private:
  double x(double value) const {
    return kScatterLeft + x_axis_.share(value) * (kScatterWidth - kScatterLeft - kScatterRight);
  }
  double y(double value) const {
    return kScatterHeight - kScatterBottom -
           y_axis_.share(value) * (kScatterHeight - kScatterTop - kScatterBottom);
  }

  std::string head() const {
    return R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 480" width="960" )"
           R"(height="480" font-family="Helvetica, Arial, sans-serif" font-size="13" )"
           "fill=\"#1f2933\">\n<rect width=\"960\" height=\"480\" fill=\"#ffffff\"/>\n" +
           text(kScatterLeft, 30, chart_.title, R"(font-size="18" font-weight="bold")") +
           text(kScatterLeft, 50, chart_.subtitle, kMuted);
  }

  std::string y_ticks() const {
    std::string result;
    for (int i = 0; i <= y_axis_.ticks(); ++i) {
      const double place = y(y_axis_.tick(i));
      result += line(kScatterLeft, place, kScatterWidth - kScatterRight, place,
                     i == 0 ? "stroke=\"#52606d\"" : "stroke=\"#e4e7eb\"");
      result += text(kScatterLeft - 8, place + 4, y_axis_.tick_label(i),
                     R"(text-anchor="end" fill="#52606d")");
    }
    const double middle = (kScatterTop + kScatterHeight - kScatterBottom) / 2;
    return result + "<g transform=\"rotate(-90 18 " + number(middle) + ")\">" +
           text(18, middle, chart_.y_label, R"(text-anchor="middle" fill="#52606d")") + "</g>\n";
  }

  std::string x_ticks() const {
    std::string result;
    for (int i = 0; i <= x_axis_.ticks(); ++i) {
      const double place = x(x_axis_.tick(i));
      result += line(place, kScatterHeight - kScatterBottom, place,
                     kScatterHeight - kScatterBottom + 5, "stroke=\"#52606d\"");
      result += text(place, kScatterHeight - kScatterBottom + 20, x_axis_.tick_label(i),
                     R"(text-anchor="middle" fill="#52606d")");
    }
    return result + text((kScatterLeft + kScatterWidth - kScatterRight) / 2, kScatterHeight - 16,
                         chart_.x_label, R"(text-anchor="middle" fill="#52606d")");
  }

  std::string references() const {
    std::string result;
    for (const auto& reference : chart_.references) {
      result += line(kScatterLeft, y(reference.y), kScatterWidth - kScatterRight, y(reference.y),
                     R"(stroke="#455a64" stroke-dasharray="6 4")");
      result += text(kScatterLeft + 6, y(reference.y) - 6, reference.label, kMuted);
    }
    return result;
  }

  std::string front() const {
    std::string path;
    for (const auto& point : chart_.front) {
      path += (path.empty() ? "M" : "L") + number(x(point.x)) + " " + number(y(point.y));
    }
    if (path.empty()) return "";
    return "<path d=\"" + path + R"(" fill="none" stroke-width="2" stroke=")" + kFrontColour +
           "\"/>\n";
  }

  std::string points() const {
    std::string result;
    for (const auto& point : chart_.points) {
      if (point.high > point.low) {
        const std::string style =
            std::string("stroke=\"") + kPointColour + "\" stroke-opacity=\"0.5\"";
        result += line(x(point.x), y(point.low), x(point.x), y(point.high), style);
        for (const double end : {point.low, point.high}) {
          result += line(x(point.x) - 4, y(end), x(point.x) + 4, y(end), style);
        }
      }
      result += circle(x(point.x), y(point.y), 4,
                       std::string("fill=\"") + kPointColour + "\" fill-opacity=\"0.85\"");
    }
    return result;
  }

  // On the side of the point where there is room.
  std::string marks() const {
    std::string result;
    for (const auto& point : chart_.points) {
      if (point.label.empty()) continue;
      const bool left = x(point.x) + 12 + width_of(point.label) > kScatterWidth - kScatterRight;
      result +=
          circle(x(point.x), y(point.y), 9,
                 std::string(R"(fill="none" stroke-width="2" stroke=")") + kBestColour + "\"");
      result += text(x(point.x) + (left ? -14 : 14), y(point.y) - 8, point.label,
                     std::string(left ? "text-anchor=\"end\" " : "") +
                         "font-weight=\"bold\" fill=\"" + kBestColour + "\"");
    }
    return result;
  }

  std::string legend() const {
    double left = kScatterLeft;
    std::string result = circle(left + 6, 71, 4, std::string("fill=\"") + kPointColour + "\"") +
                         text(left + 18, 75, chart_.point_legend, "");
    if (chart_.front.empty()) return result;
    left += 42 + width_of(chart_.point_legend);
    return result +
           line(left, 71, left + 18, 71,
                std::string("stroke-width=\"3\" stroke=\"") + kFrontColour + "\"") +
           text(left + 24, 75, chart_.front_legend, "");
  }

  const ScatterChart& chart_;
  ScatterAxis x_axis_;
  ScatterAxis y_axis_;
};

}  // namespace

std::string svg(const ScatterChart& chart) { return ScatterDrawing(chart).svg(); }

}  // namespace sotto::report
