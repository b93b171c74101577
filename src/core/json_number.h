// Numbers in JSON, which has no infinity.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

namespace sotto {

// The number, or the string "Infinity": a reader that expects a number fails loudly instead of
// taking null for 0.
template <typename Json = nlohmann::ordered_json>
Json json_number(double value) {
  if (std::isinf(value)) return "Infinity";
  return value;
}

// Null where there is none.
template <typename Json = nlohmann::ordered_json>
Json json_number(const std::optional<double>& value) {
  return value ? json_number<Json>(*value) : Json(nullptr);
}

}  // namespace sotto
