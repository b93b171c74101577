#pragma once

#include <cstdio>
#include <string>

namespace sotto::anonymity {

// As a table shows it: 10 digits at most, no trailing zeros.
inline std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

}  // namespace sotto::anonymity
