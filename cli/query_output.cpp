#include "cli/query_output.h"

#include <algorithm>
#include <cmath>

#include "cli/query_answers.h"
#include "cli/text_layout.h"
#include "core/counted.h"
#include "core/printed_number.h"
#include "core/sentence.h"
#include "data/table_header.h"
#include "queries/answer_digits.h"
#include "runs/declared_person.h"
#include "sotto/accounting/statement.h"

namespace sotto::cli {

namespace {

using accounting::EpsilonDelta;
using accounting::rounded_down;
using accounting::rounded_up;
using Json = nlohmann::ordered_json;

// Those of means differ from group to group.
std::string standard_errors(const QueryResult& result) {
  const auto less = [](const mechanisms::Answer& a, const mechanisms::Answer& b) {
    return a.release.standard_error < b.release.standard_error;
  };
  const auto [least, most] =
      std::minmax_element(result.answers.begin(), result.answers.end(), less);
  const std::string low = queries::plain_number(least->release.standard_error);
  const std::string high = queries::plain_number(most->release.standard_error);
  return low == high ? low : low + " to " + high;
}

std::string parallel_text(const QueryResult& result) {
  if (result.answers.size() <= 1) return "";
  return "; each record is in at most one of the " + std::to_string(result.answers.size()) +
         " parts, so all of them cost what one costs";
}

std::string choice_text(const QueryRequest& request, const QueryResult& result) {
  const auto& bounds = *request.query.bounds;
  const double step = request.query.grid.value_or((bounds.high() - bounds.low()) /
                                                  mechanisms::QuantileRelease::kCandidates);
  return "drawn from the values " + significant(bounds.low(), 10) + " to " +
         significant(bounds.high(), 10) + " in steps of " + significant(step, 6) +
         " (exponential mechanism); one record moves the distance of each from the rank asked for "
         "by at most " +
         significant(result.sensitivity, 6) + parallel_text(result);
}

std::string noise_text(const QueryRequest& request, const QueryResult& result) {
  const bool laplace = request.query.noise == mechanisms::NoiseKind::kLaplace;
  std::string text = std::string("discrete ") + (laplace ? "Laplace" : "Gaussian");
  text += ", standard error " + standard_errors(result);
  if (request.query.statistic == mechanisms::Statistic::kMean) {
    text += "; half of the budget on the sum, which one record moves by at most " +
            queries::plain_number(result.sensitivity) +
            " (from the middle of the bounds), half on the count, which it moves by 1";
  } else {
    text += "; one record moves an answer by at most " + queries::plain_number(result.sensitivity);
  }
  return text + parallel_text(result);
}

// "" for commas, which nobody has to be told of.
std::string separator_text(const QueryResult& result) {
  const char separator = result.recognised_separator.value_or(',');
  if (separator == ',') return "";
  return labelled_paragraph("Table", "columns separated by " + data::separator_name(separator) +
                                         ", as the first line shows");
}

bool is_quantile(const QueryRequest& request) {
  return request.query.statistic == mechanisms::Statistic::kQuantile;
}

}  // namespace

std::vector<std::string> query_limits(const QueryRequest& request) {
  const auto& person = request.declared.person();
  if (person.empty()) return {};
  return {runs::one_row_alone(person) +
          "; queries take no --group-size, but without δ k rows have k times the ε, so a "
          "--total-epsilon of E/K promises E for all rows of everybody who has at most K"};
}

std::string changes_text(std::size_t data_changes) {
  if (data_changes == 0) return "";
  return labelled_paragraph(
      "Data", "changed " + counted(data_changes, "time") +
                  " since this budget was made: whoever was in any version of the table is "
                  "protected by all charges together");
}

std::string amount_text(const EpsilonDelta& value, std::string (*round)(double, int)) {
  return "ε = " + round(value.epsilon, 4) +
         (value.delta > 0 ? ", δ = " + round(value.delta, 4) : "");
}

Json amount_json(const EpsilonDelta& value) {
  return {{"epsilon", value.epsilon}, {"delta", value.delta}};
}

std::string query_text(const QueryRequest& request, const QueryResult& result) {
  const auto drawn = is_quantile(request)
                         ? labelled_paragraph("Choice", choice_text(request, result))
                         : labelled_paragraph("Noise", noise_text(request, result));
  return answers_text(queries::shown_answers(request.action, request.query, result.answers)) +
         drawn + labelled_paragraph("Charged", amount_text(result.charged, rounded_up)) +
         labelled_paragraph("Left", amount_text(result.left, rounded_down) + " of " +
                                        amount_text(result.total, rounded_down)) +
         changes_text(result.data_changes) + separator_text(result) +
         labelled_paragraph("Ledger", result.ledger_head);
}

std::string query_json(const QueryRequest& request, const QueryResult& result) {
  Json json;
  json["query"] = request.action;
  if (is_quantile(request)) json["quantile"] = request.query.quantile;
  queries::add_answers(queries::shown_answers(request.action, request.query, result.answers), json);
  json["confidence"] = 0.95;
  json["noise"] = is_quantile(request) ? "exponential-mechanism"
                                       : "discrete-" + std::string(to_string(request.query.noise));
  json["sensitivity"] = result.sensitivity;
  json["neighbours"] = accounting::to_string(result.adjacency);
  json["charged"] = amount_json(result.charged);
  json["spent"] = amount_json(result.spent);
  json["left"] = amount_json(result.left);
  json["total"] = amount_json(result.total);
  json["data_changes"] = result.data_changes;
  json["limits"] = Json::array();
  for (const auto& limit : query_limits(request)) json["limits"].push_back(as_sentence(limit));
  json["ledger_head"] = result.ledger_head;
  return json.dump(2) + '\n';
}

}  // namespace sotto::cli
