// What `sotto budget` was asked.
#pragma once

#include <cstdint>
#include <optional>

#include "cli/command.h"
#include "sotto/accounting/accounting.h"

namespace sotto::cli {

enum class BudgetGoal {
  kEpsilon,          // everything known but ε
  kDelta,            // ε given instead of δ
  kNoiseMultiplier,  // target ε given instead of σ
  kEpochs,           // target ε given instead of the length
};

struct BudgetRequest {
  BudgetGoal goal = BudgetGoal::kEpsilon;
  accounting::TrainingRunOptions run;  // with a placeholder for what is to be found
  accounting::Neighbours neighbours;
  double delta = 1e-5;
  std::optional<double> epsilon;  // given, or to be kept
  accounting::AccountingOptions accounting;
  bool all_accountants = false;
  std::optional<std::int64_t> tuning_runs;
  bool json = false;
};

// Nothing if help was printed. Throws UsageError.
std::optional<BudgetRequest> parse_budget_request(const Arguments& arguments);

}  // namespace sotto::cli
