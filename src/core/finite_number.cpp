#include "core/finite_number.h"

#include <cmath>
#include <cstdlib>

namespace sotto {

std::optional<double> finite_number(const std::string& text) {
  const bool plausible =
      !text.empty() && text.find_first_not_of("0123456789+-.eE") == std::string::npos;
  if (!plausible) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (*end != '\0' || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace sotto
