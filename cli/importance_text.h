// What each column of a table is worth to a model, computed and told.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "train/permutation_importance.h"

namespace sotto::cli {

struct Importance {
  train::ImportanceOptions options = {};
  std::int64_t rows = 0;
  std::vector<train::ColumnImportance> columns = {};  // what matters most first
};

std::string importance_text(const Importance& importance);
nlohmann::ordered_json importance_json(const Importance& importance);

}  // namespace sotto::cli
