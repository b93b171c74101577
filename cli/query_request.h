// The flags of `sotto query`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "sotto/mechanisms/table_query.h"
#include "sotto/queries/query_ledger.h"

namespace sotto::cli {

struct QueryRequest {
  std::string data;
  std::string ledger;
  std::optional<std::string> ledger_head;  // of a line that the ledger must contain
  std::string action;                      // as it was typed: count, sum, mean or histogram
  mechanisms::QueryOptions query;
  queries::TotalBudget total;
  bool json = false;
};

// Nothing if help was asked for and printed. Throws UsageError, or NoValidAnalysis for a statistic
// of unbounded sensitivity.
std::optional<QueryRequest> parse_query(const Arguments& arguments);

}  // namespace sotto::cli
