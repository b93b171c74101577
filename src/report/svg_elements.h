// What charts are drawn with: SVG elements, and ticks at round numbers.
#pragma once

#include <string>

namespace sotto::report {

// Two decimals.
std::string number(double value);
// `style`: further attributes.
std::string line(double x1, double y1, double x2, double y2, const std::string& style);
// `content` is escaped.
std::string text(double x, double y, const std::string& content, const std::string& style);

struct Range {
  double low = 0;
  double high = 0;

  // Throws InvalidArgument unless the value is finite.
  void include(double value);
};

// 1, 2 or 5 times a power of ten, for about five ticks.
double tick_step(const Range& range);
std::string tick_text(double value, double step, bool percent);

}  // namespace sotto::report
