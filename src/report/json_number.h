// Numbers in JSON, which has no infinity.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

namespace sotto::report {

// The number, or the string "Infinity": a reader that expects a number fails loudly instead of
// taking null for 0.
inline nlohmann::ordered_json json_number(double value) {
  if (std::isinf(value)) return "Infinity";
  return value;
}

inline nlohmann::ordered_json json_number(const std::optional<double>& value) {
  return value ? json_number(*value) : nlohmann::ordered_json(nullptr);
}

}  // namespace sotto::report
