// A table and its synthetic copy beside each other.
#pragma once

#include <string>

#include "gan/table_comparison.h"

namespace sotto::cli {

// Means and spreads, shares of categories, and the pairs of columns that differ most.
std::string comparison_text(const gan::TableComparison& table);

}  // namespace sotto::cli
