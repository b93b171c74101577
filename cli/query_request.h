// The flags of `sotto query`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "sotto/mechanisms/budget_account.h"
#include "sotto/mechanisms/table_query.h"

namespace sotto::cli {

// What is said of the whole budget. Needed for a new ledger; an old one's must not differ.
struct BudgetFlags {
  std::optional<double> epsilon;
  std::optional<double> delta;
  std::optional<mechanisms::Composing> composing;
};

struct QueryRequest {
  std::string data;
  std::string ledger;
  std::optional<std::string> ledger_head;  // of a line that the ledger must contain
  std::string action;                      // as it was typed: count, sum, mean or histogram
  mechanisms::QueryOptions query;
  BudgetFlags total;
  bool json = false;
};

// Nothing if help was asked for and printed. Throws UsageError, or NoValidAnalysis for a statistic
// of unbounded sensitivity.
std::optional<QueryRequest> parse_query(const Arguments& arguments);

}  // namespace sotto::cli
