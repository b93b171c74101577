// What `sotto spent` prints.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "runs/data_spend.h"

namespace sotto::cli {

// What was found. With `data`, `budgets.by_data` holds what is about them: one entry, or none.
struct SpentAnswer {
  std::filesystem::path folder;     // that was searched
  std::optional<std::string> data;  // that was asked about, as it was named
  runs::SpentBudgets budgets;
};

std::string spent_text(const SpentAnswer& answer);
std::string spent_json(const SpentAnswer& answer);

}  // namespace sotto::cli
