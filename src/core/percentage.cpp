#include "core/percentage.h"

#include <algorithm>
#include <cmath>

#include "core/printed_number.h"

namespace sotto {
namespace {

constexpr int kMoreDecimals = 3;  // than were asked for

double rounded_percent(double percent, int decimals, Rounding rounding) {
  constexpr double kSlack = 1e-9;  // 30.000000000000004 is 30 all the same
  const double unit = std::pow(10, decimals);
  const double exact = percent * unit;
  const double shown = rounding == Rounding::kUp     ? std::ceil(exact - kSlack)
                       : rounding == Rounding::kDown ? std::floor(exact + kSlack)
                                                     : std::round(exact);
  return shown / unit + 0.0;  // never "-0"
}

std::string without_trailing_zeros(const std::string& digits) {
  if (digits.find('.') == std::string::npos) return digits;
  const auto last = digits.find_last_not_of('0');
  return digits.substr(0, digits[last] == '.' ? last : last + 1);
}

}  // namespace

std::string percentage(double share, int decimals, Rounding rounding) {
  const bool open = share > 0 && share < 1;
  for (int places = decimals; places <= decimals + kMoreDecimals; ++places) {
    const double shown = rounded_percent(100 * share, places, rounding);
    if (!open || (shown > 0 && shown < 100)) return with_decimals(shown, places) + " %";
  }
  const int places = decimals + kMoreDecimals;
  const double unit = std::pow(10, -places);
  if (share < 0.5) return "less than " + with_decimals(unit, places) + " %";
  if (rounding == Rounding::kUp) return "just under 100 %";
  return "more than " + with_decimals(100 - unit, places) + " %";
}

std::string short_percentage(double share, int digits, Rounding rounding) {
  constexpr int kMostDecimals = 15;
  const double size = std::abs(100 * share);
  const int whole = size > 0 ? static_cast<int>(std::floor(std::log10(size))) + 1 : digits;
  const std::string text =
      percentage(share, std::clamp(digits - whole, 0, kMostDecimals), rounding);
  const auto blank = text.rfind(' ');
  return without_trailing_zeros(text.substr(0, blank)) + text.substr(blank);
}

double less_than_certain(double share) { return std::min(share, std::nextafter(1.0, 0.0)); }

}  // namespace sotto
