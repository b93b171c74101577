// What `sotto query` prints.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/query_request.h"

namespace sotto::cli {

struct QueryResult {
  std::vector<mechanisms::Answer> answers;
  double sensitivity;  // how far one record can move an answer
  accounting::EpsilonDelta charged;
  accounting::EpsilonDelta spent;  // after it
  accounting::EpsilonDelta left;
  accounting::EpsilonDelta total;
  std::string ledger_head;
  accounting::Adjacency adjacency;
  std::size_t data_changes = 0;  // that were accepted since the budget was made
  // What the first line of the table showed; nothing if a schema declares it.
  std::optional<char> recognised_separator = {};
};

std::string query_text(const QueryRequest& request, const QueryResult& result);
std::string query_json(const QueryRequest& request, const QueryResult& result);

// What the answer's ε leaves out, in half sentences; mostly nothing. It depends on the schema
// alone.
std::vector<std::string> query_limits(const QueryRequest& request);

// "" or, for a table that changed so often, what the sum of charges means.
std::string changes_text(std::size_t data_changes);

// "ε = 0.1, δ = 1e-06", rounded by accounting::rounded_up or rounded_down.
std::string amount_text(const accounting::EpsilonDelta& value, std::string (*round)(double, int));
nlohmann::ordered_json amount_json(const accounting::EpsilonDelta& value);

}  // namespace sotto::cli
