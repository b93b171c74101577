// What `sotto query` prints.
#pragma once

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
  accounting::Relation relation;
};

std::string query_text(const QueryRequest& request, const QueryResult& result);
std::string query_json(const QueryRequest& request, const QueryResult& result);

}  // namespace sotto::cli
