// Where two plans differ.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace sotto {

struct PlanDifference {
  std::string key;   // dotted: "noise.multiplier"
  std::string left;  // the value as JSON, or "nothing"
  std::string right;
};

// The first key, in alphabetical order, whose values differ; inside nested objects too.
std::optional<PlanDifference> first_difference(const nlohmann::json& left,
                                               const nlohmann::json& right);

}  // namespace sotto
