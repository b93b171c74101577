#include "cli/query_past.h"

#include <algorithm>

#include "cli/query_answers.h"
#include "cli/query_output.h"
#include "cli/text_layout.h"
#include "core/printed_number.h"
#include "sotto/accounting/statement.h"

namespace sotto::cli {

namespace {

using accounting::rounded_down;
using accounting::rounded_up;
using queries::PastQueries;
using queries::PastQuery;
using Json = nlohmann::ordered_json;

std::string text_member(const Json& said, const char* key, const std::string& before) {
  const auto found = said.find(key);
  if (found == said.end() || !found->is_string()) return "";
  return before + found->get<std::string>();
}

// As it might be asked in words: "mean of pay, by city, where age>40".
std::string question_text(const PastQuery& past) {
  const Json said = past.description;
  std::string text = text_member(said, "query", "");
  if (text == "quantile" && said.contains("quantile") && said["quantile"].is_number()) {
    text += ' ' + significant(said["quantile"].get<double>(), 10);
  }
  return text + text_member(said, "column", " of ") + text_member(said, "by", ", by ") +
         text_member(said, "across", " and ") + text_member(said, "where", ", where ");
}

// `changed`: whether the answer is the first one after a change.
std::string answer_text(const PastQuery& past, std::size_t number, bool changed) {
  const std::string heading =
      labelled_paragraph(
          "Query " + std::to_string(number),
          question_text(past) + " (" + amount_text(past.charge.cost, rounded_up) + ")") +
      (changed ? labelled_paragraph("Data", "changed before this answer") : "");
  if (past.answers) return heading + answers_text(queries::shown_answers(past));
  return heading + labelled_paragraph("Answer",
                                      "not kept: charged by an earlier version, or interrupted "
                                      "before it was given");
}

std::string budget_text(const PastQueries& past) {
  const auto& account = past.account;
  return labelled_paragraph("Budget", amount_text(account.terms().total, rounded_down) + ", " +
                                          std::string(to_string(account.terms().composing)) +
                                          " composition, under " +
                                          std::string(accounting::to_string(past.adjacency))) +
         labelled_paragraph("Spent", amount_text(account.spent(), rounded_up)) +
         labelled_paragraph("Left", amount_text(account.left(), rounded_down)) +
         labelled_paragraph("Answers", std::to_string(past.queries.size())) +
         changes_text(past.data_changes) + labelled_paragraph("Ledger", past.head_hash);
}

Json answer_json(const PastQuery& past, std::size_t number) {
  Json json{{"number", number}, {"asked", past.description}, {"data_changes", past.data_changes}};
  if (past.answers) queries::add_answers(queries::shown_answers(past), json);
  json["kept"] = past.answers.has_value();
  return json;
}

}  // namespace

std::string past_text(const PastRequest& request, const PastQueries& past) {
  if (!request.answers) return budget_text(past);
  if (past.queries.empty()) return "No query was answered from this ledger yet.\n";
  std::string text;
  std::size_t changes = 0;
  for (std::size_t i = 0; i < past.queries.size(); ++i) {
    const auto& query = past.queries[i];
    while (text.ends_with("\n\n")) text.pop_back();
    text += (i > 0 ? "\n" : "") + answer_text(query, i + 1, query.data_changes > changes);
    changes = query.data_changes;
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return text + (past.data_changes > 0 ? "\n" + changes_text(past.data_changes) : "");
}

std::string past_json(const PastRequest& request, const PastQueries& past) {
  Json json;
  json["total"] = amount_json(past.account.terms().total);
  json["spent"] = amount_json(past.account.spent());
  json["left"] = amount_json(past.account.left());
  json["composition"] = to_string(past.account.terms().composing);
  json["neighbours"] = accounting::to_string(past.adjacency);
  json["answers"] = past.queries.size();
  json["data_changes"] = past.data_changes;
  if (request.answers) {
    json["confidence"] = 0.95;
    json["queries"] = Json::array();
    for (std::size_t i = 0; i < past.queries.size(); ++i) {
      json["queries"].push_back(answer_json(past.queries[i], i + 1));
    }
  }
  json["ledger_head"] = past.head_hash;
  return json.dump(2) + '\n';
}

}  // namespace sotto::cli
