#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

namespace sotto::sweep {

// null where there is none.
inline nlohmann::ordered_json number_json(const std::optional<double>& value) {
  if (!value) return nullptr;
  return std::isinf(*value) ? nlohmann::ordered_json("Infinity") : nlohmann::ordered_json(*value);
}

}  // namespace sotto::sweep
