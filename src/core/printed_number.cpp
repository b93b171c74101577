#include "core/printed_number.h"

#include <array>
#include <cstdio>

namespace sotto {
namespace {

// A double takes at most 309 digits before the point.
std::string printed(const char* format, int precision, double value) {
  std::array<char, 400> text{};
  std::snprintf(text.data(), text.size(), format, precision, value);
  return text.data();
}

}  // namespace

std::string significant(double value, int digits) { return printed("%.*g", digits, value); }

std::string with_decimals(double value, int decimals) { return printed("%.*f", decimals, value); }

}  // namespace sotto
