// Answers to a query, as they are shown when they are given, and when they are shown again.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/query_request.h"
#include "queries/past_queries.h"

namespace sotto::cli {

struct ShownAnswers {
  std::string action;  // count, sum, median and so on
  std::string by;      // the column that they are for parts of; empty if there is one answer
  std::string across;  // a second one; empty if there is none
  std::vector<std::string> parts;
  std::vector<std::string> across_parts;
  std::vector<mechanisms::Answer> answers;
};

ShownAnswers shown_answers(const QueryRequest& request, std::vector<mechanisms::Answer> answers);
// Throws InvalidArgument if the ledger's description does not fit the answers. REQUIRES: there are
// answers.
ShownAnswers shown_answers(const queries::PastQuery& past);

// Lines that end in a newline.
std::string answers_text(const ShownAnswers& shown);

// Adds "answer", or what the answers are for and "answers".
void add_answers(const ShownAnswers& shown, nlohmann::ordered_json& json);

}  // namespace sotto::cli
