#include "report/svg_elements.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "sotto/core/error.h"

namespace sotto::report {
namespace {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char character : text) {
    switch (character) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      default:
        result += character;
    }
  }
  return result;
}

}  // namespace

std::string number(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.2f", value);
  return text.data();
}

std::string line(double x1, double y1, double x2, double y2, const std::string& style) {
  return "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) +
         "\" y2=\"" + number(y2) + "\" " + style + "/>\n";
}

std::string text(double x, double y, const std::string& content, const std::string& style) {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" " + style + ">" + escaped(content) +
         "</text>\n";
}

void Range::include(double value) {
  check_argument(std::isfinite(value), "a chart's values must be finite, got ", value);
  low = std::min(low, value);
  high = std::max(high, value);
}

double tick_step(const Range& range) {
  const double rough = (range.high - range.low) / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) return factor * power;
  }
  return 10 * power;
}

std::string tick_text(double value, double step, bool percent) {
  const double scale = percent ? 100 : 1;
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step * scale) + 1e-9)));
  std::array<char, 40> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value * scale + 0.0);
  return std::string(buffer.data()) + (percent ? " %" : "");
}

}  // namespace sotto::report
