// The answer of `sotto budget`, for people and for programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/budget_request.h"
#include "sotto/accounting/accounting.h"

namespace sotto::cli {

struct RdpComparison {
  accounting::RdpEpsilon improved;
  accounting::RdpEpsilon classic;
};

struct TuningCost {
  std::int64_t runs;
  accounting::PrivacyCost fixed_runs;                 // all results paid for
  std::optional<accounting::RdpEpsilon> random_runs;  // a geometric number of them, best published
};

struct BudgetAnswer {
  accounting::TrainingRun run;  // with whatever was to be found filled in
  accounting::PrivacyCost cost;
  // What Rényi accounting says of the same run, where it has an analysis.
  std::optional<RdpComparison> rdp;
  // With --accountant all: every accountant that has an analysis.
  std::vector<accounting::PrivacyCost> accountants;
  std::optional<TuningCost> tuning;
};

std::string human_text(const BudgetRequest& request, const BudgetAnswer& answer);
std::string json_text(const BudgetRequest& request, const BudgetAnswer& answer);

}  // namespace sotto::cli
