#include "queries/answer_digits.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/printed_number.h"

namespace sotto::queries {

namespace {

// Decimals of a number with this error, if the error has so many digits; below 0 for tens,
// hundreds and so on.
int decimals_for(double standard_error, int digits) {
  constexpr double kLeast = 1e-12;
  const double error = std::max(standard_error, kLeast);
  return std::min(digits - 1 - static_cast<int>(std::floor(std::log10(error))), 12);
}

double rounded(double value, Rounding rounding) {
  if (rounding == Rounding::kDown) return std::floor(value);
  return rounding == Rounding::kUp ? std::ceil(value) : std::round(value);
}

std::string with_places(double value, int decimals, Rounding rounding) {
  const double unit = std::pow(10.0, std::abs(decimals));
  const double whole = rounded(decimals > 0 ? value * unit : value / unit, rounding);
  // Zero has no sign.
  const double kept = whole == 0 ? 0 : (decimals > 0 ? whole / unit : whole * unit);
  return with_decimals(kept, std::max(decimals, 0));
}

}  // namespace

std::string to_the_error(double value, double standard_error, Rounding rounding) {
  return with_places(value, decimals_for(standard_error, 2), rounding);
}

double near_the_error(double value, double standard_error, Rounding rounding) {
  const auto text = with_places(value, decimals_for(standard_error, 4), rounding);
  return std::strtod(text.c_str(), nullptr);
}

std::string plain_number(double value) {
  const double size = std::abs(value);
  const bool exponent = size >= 1e12 || (size > 0 && size < 1e-4);
  const int decimals =
      size > 0 ? std::clamp(2 - static_cast<int>(std::floor(std::log10(size))), 0, 6) : 0;
  std::string shown = exponent ? significant(value, 3) : with_decimals(value, decimals);
  if (exponent || shown.find('.') == std::string::npos) return shown;
  shown.erase(shown.find_last_not_of('0') + 1);
  if (shown.back() == '.') shown.pop_back();
  return shown;
}

}  // namespace sotto::queries
