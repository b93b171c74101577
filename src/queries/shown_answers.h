// Answers to a query with what they are for, as they are shown when they are given, and when they
// are shown again.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "queries/past_queries.h"

namespace sotto::queries {

struct ShownAnswers {
  std::string action;  // count, sum, median and so on
  std::string by;      // the column that they are for parts of; empty if there is one answer
  std::string across;  // a second one; empty if there is none
  std::vector<std::string> parts;
  std::vector<std::string> across_parts;
  std::vector<mechanisms::Answer> answers;
};

ShownAnswers shown_answers(const std::string& action, const mechanisms::QueryOptions& query,
                           std::vector<mechanisms::Answer> answers);
// Throws InvalidArgument if the ledger's description does not fit the answers. REQUIRES: there are
// answers.
ShownAnswers shown_answers(const PastQuery& past);

// One of them in as many digits as mean something, and what it is within with 95 %.
std::string value_text(const ShownAnswers& shown, const mechanisms::Release& release);
std::string interval_text(const ShownAnswers& shown, const mechanisms::Release& release);

// Adds "answer", or what the answers are for and "answers".
void add_answers(const ShownAnswers& shown, nlohmann::ordered_json& json);

}  // namespace sotto::queries
