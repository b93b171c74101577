// A table and its synthetic copy beside each other, for people and for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "gan/table_comparison.h"

namespace sotto::cli {

// Means and spreads, shares of categories, and the pairs of columns that differ most.
std::string comparison_text(const gan::TableComparison& table);

// All of it; null for what does not exist.
nlohmann::ordered_json comparison_json(const gan::TableComparison& table);

}  // namespace sotto::cli
