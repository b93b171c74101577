// What `sotto budget` was asked.
#pragma once

#include <optional>

#include "cli/command.h"
#include "cli/run_flags.h"

namespace sotto::cli {

struct BudgetRequest {
  accounting::BudgetQuestion question;
  bool json = false;
};

// Nothing if help was printed. Throws UsageError.
std::optional<BudgetRequest> parse_budget_request(const Arguments& arguments);

}  // namespace sotto::cli
