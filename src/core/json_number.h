// Numbers in JSON, which has no infinity.
#pragma once

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

namespace sotto {

// How infinity is spelt, in JSON and in tables.
constexpr const char* kInfinityText = "Infinity";

// The number, or the string "Infinity": a reader that expects a number fails loudly instead of
// taking null for 0.
template <typename Json = nlohmann::ordered_json>
Json json_number(double value) {
  if (std::isinf(value)) return kInfinityText;
  return value;
}

// Null where there is none.
template <typename Json = nlohmann::ordered_json>
Json json_number(const std::optional<double>& value) {
  return value ? json_number<Json>(*value) : Json(nullptr);
}

// What json_number() wrote; nothing of null, which also stands for NaN, or of anything else.
template <typename Json>
std::optional<double> number_from_json(const Json& json) {
  if (json == kInfinityText) return std::numeric_limits<double>::infinity();
  return json.is_number() ? std::optional(json.template get<double>()) : std::nullopt;
}

}  // namespace sotto
