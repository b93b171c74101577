// What `sotto budget` was asked.
#pragma once

#include <cstdint>
#include <optional>

#include "cli/command.h"
#include "cli/run_flags.h"

namespace sotto::cli {

enum class BudgetGoal {
  kEpsilon,          // everything known but ε
  kDelta,            // ε given instead of δ
  kNoiseMultiplier,  // target ε given instead of σ
  kEpochs,           // target ε given instead of the length
};

// The run has a placeholder for what is to be found.
struct BudgetRequest : RunSettings {
  BudgetGoal goal = BudgetGoal::kEpsilon;
  std::optional<double> epsilon{};  // given, or to be kept
  std::optional<std::int64_t> tuning_runs{};
  bool json = false;
};

// Nothing if help was printed. Throws UsageError.
std::optional<BudgetRequest> parse_budget_request(const Arguments& arguments);

}  // namespace sotto::cli
