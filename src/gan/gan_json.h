// What a generator became, and how good its data are, as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "gan/gan_evaluation.h"
#include "gan/table_comparison.h"
#include "sotto/gan/gan.h"

namespace sotto::gan {

struct GanScore {
  const char* key;
  const char* text;
  const char* pattern;  // of printf, for factor · value
  std::optional<double> GanEvaluation::*value;
  double factor;
};
// In the order in which they are shown.
std::span<const GanScore> gan_scores();

// `refused`: why a table is not compared, if it is not.
nlohmann::ordered_json evaluation_json(const GanEvaluation& evaluation, const std::string& refused);

// All of it; null for what does not exist.
nlohmann::ordered_json comparison_json(const TableComparison& table);

nlohmann::ordered_json result_json(const GanResult& result);

}  // namespace sotto::gan
