// What `sotto query` is asked to do.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "cli/command.h"
#include "cli/query_types.h"
#include "sotto/mechanisms/table_query.h"
#include "sotto/queries/queries.h"

namespace sotto::cli {

// A question to the table.
struct QueryRequest {
  std::string data;
  std::string ledger;
  std::optional<std::string> ledger_head;  // of a line that the ledger must contain
  bool accept_data_change = false;
  std::string action;  // as it was typed: count, sum, median and so on
  DeclaredColumns declared;
  bool knows_decimal = false;  // by a flag or a schema
  mechanisms::QueryOptions query;
  queries::TotalBudget total;
  bool json = false;
};

// A question to the ledger, which costs nothing.
struct PastRequest {
  std::string ledger;
  std::optional<std::string> ledger_head;
  bool answers = false;  // or the budget only
  bool json = false;
};

// Why a statistic of values needs bounds.
std::string bounds_missing(const QueryRequest& request);

// Nothing if help was asked for and printed. Whether bounds are missing is left to the table's
// columns: a name mistyped, or a column of categories, needs other words. Throws UsageError, or
// NoValidAnalysis for a statistic of unbounded sensitivity.
std::optional<std::variant<QueryRequest, PastRequest>> parse_query(const Arguments& arguments);

}  // namespace sotto::cli
