#include "report/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace sotto::report {
namespace {

constexpr double kLeastPlain = 0.999e-3;  // below, and from kMostPlain on, with an exponent
constexpr double kMostPlain = 1e7;
constexpr std::size_t kDigitsWithoutGroups = 4;

std::string printed(const char* format, int precision, double value) {
  std::array<char, 400> text{};
  std::snprintf(text.data(), text.size(), format, precision, value);
  return text.data();
}

// "1.5e-05" as "1.5e-5".
std::string without_padding(const std::string& text) {
  const auto exponent = text.find('e');
  if (exponent == std::string::npos) return text;
  const bool negative = text[exponent + 1] == '-';
  const auto digits = text.find_first_not_of('0', exponent + 2);
  if (digits == std::string::npos) return text.substr(0, exponent);
  return text.substr(0, exponent) + (negative ? "e-" : "e") + text.substr(digits);
}

// "60000" as "60 000".
std::string grouped_digits(const std::string& text) {
  const std::size_t begin = text.find_first_of("0123456789");
  const std::size_t end = std::min(text.find('.'), text.size());
  if (begin == std::string::npos || end - begin <= kDigitsWithoutGroups) return text;
  std::string result = text.substr(0, begin);
  for (std::size_t i = begin; i < end; ++i) {
    if (i > begin && (end - i) % 3 == 0) result += "\u00a0";
    result += text[i];
  }
  return result + text.substr(end);
}

}  // namespace

std::string number_text(double value) {
  if (std::isinf(value)) return value > 0 ? "∞" : "-∞";
  const double size = std::abs(value);
  if (size != 0 && (size < kLeastPlain || size >= kMostPlain)) {
    const std::string full = printed("%.*e", 5, value);
    const auto exponent = full.find('e');
    const auto last = full.find_last_not_of('0', exponent - 1);
    const std::string digits = full.substr(0, full[last] == '.' ? last : last + 1);
    return without_padding(digits + full.substr(exponent));
  }
  const int whole_digits = size < 1 ? 0 : static_cast<int>(std::floor(std::log10(size))) + 1;
  return grouped_digits(printed("%.*g", std::max(6, whole_digits), value + 0.0));
}

std::string tick_text(double value, double step, bool percent) {
  const double scale = percent ? 100 : 1;
  const double shown_step = step * scale;
  const double shown = value * scale + 0.0;
  if (shown_step < kLeastPlain / 10 || std::abs(shown) >= kMostPlain) {
    return number_text(shown) + (percent ? " %" : "");
  }
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(shown_step) + 1e-9)));
  return grouped_digits(printed("%.*f", decimals, shown)) + (percent ? " %" : "");
}

}  // namespace sotto::report
