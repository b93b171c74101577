#include "cli/query_request.h"

#include <algorithm>
#include <array>

#include "cli/query_parts.h"

namespace sotto::cli {

namespace {

using mechanisms::QueryOptions;
using mechanisms::Statistic;

[[noreturn]] void refuse_action(const std::string& action) {
  for (const char* known : {"max", "min", "range"}) {
    if (action != known) continue;
    throw NoValidAnalysis(action +
                          ": one record can move it arbitrarily far (its sensitivity is infinite), "
                          "so no noise hides a record; accepted: quantile, such as 0.01 or 0.99 "
                          "with bounds");
  }
  for (const char* known : {"mode", "variance", "std"}) {
    if (action != known) continue;
    throw NoValidAnalysis(action +
                          ": no mechanism of bounded sensitivity for it here; accepted: count, "
                          "sum, mean, median, quantile, histogram, table");
  }
  throw UsageError(unknown_word("QUERY", action,
                                {"count", "sum", "mean", "median", "quantile", "histogram", "table",
                                 "status", "answers"}) +
                   " (records themselves are never shown)");
}

void read_bounds(const QueryTexts& texts, const DeclaredColumns& declared, QueryOptions& query) {
  if (texts.bounds) {
    const auto ends = number_list_flag("--bounds", *texts.bounds);
    if (ends.size() != 2) throw UsageError("--bounds '" + *texts.bounds + "': expected LOW,HIGH");
    query.bounds = checked_flag("--bounds", *texts.bounds,
                                [&] { return mechanisms::ValueBounds(ends[0], ends[1]); });
  } else if (const auto* bounds = declared.bounds(query.column)) {
    query.bounds = *bounds;
  }
  if (texts.grid) query.grid = positive_flag("--grid", *texts.grid);
}

// A sum, a mean or a quantile of a column.
void read_statistic(const QueryTexts& texts, Statistic statistic, const DeclaredColumns& declared,
                    QueryOptions& query) {
  query.statistic = statistic;
  query.column = required_text("COLUMN", texts.column, "whose values?");
  read_bounds(texts, declared, query);
  constexpr double kMostWholeNumbers = 1e5;
  const bool whole = statistic == Statistic::kQuantile && declared.is_whole(query.column) &&
                     query.bounds &&
                     query.bounds->high() - query.bounds->low() <= kMostWholeNumbers;
  if (whole && !query.grid) query.grid = 1;
  read_groups(texts, declared, query);
  if (texts.action != "quantile") return;
  query.quantile = probability_flag(
      "--quantile", required_text("--quantile", texts.quantile, "a share, such as 0.9"));
}

std::optional<Statistic> statistic_of_values(const std::string& action) {
  if (action == "sum") return Statistic::kSum;
  if (action == "mean") return Statistic::kMean;
  if (action == "median" || action == "quantile") return Statistic::kQuantile;
  return std::nullopt;
}

void read_action(const QueryTexts& texts, const DeclaredColumns& declared, QueryOptions& query) {
  if (texts.action != "quantile") {
    refuse_text("is for quantile only", "--quantile", texts.quantile);
  }
  if (texts.action != "table") refuse_text("is for table only", "--columns", texts.columns);
  if (const auto statistic = statistic_of_values(texts.action)) {
    return read_statistic(texts, *statistic, declared, query);
  }
  if (texts.action == "histogram") {
    read_histogram(texts, declared, query);
  } else if (texts.action == "table") {
    read_two_way_table(texts, declared, query);
  } else if (texts.action == "count") {
    refuse_text("count takes no column; --where chooses records", "COLUMN", texts.column);
    read_groups(texts, declared, query);
  } else {
    refuse_action(texts.action);
  }
  const std::string for_values = "is for sum, mean, median and quantile only";
  refuse_text(for_values, "--bounds", texts.bounds);
  refuse_text(for_values + "; counts are whole", "--grid", texts.grid);
}

void read_budget(const QueryTexts& texts, QueryOptions& query) {
  query.budget.epsilon = number_flag(
      "--epsilon", required_text("--epsilon", texts.epsilon, "what may the query cost?"),
      {1e-9, true, 1e9, true, "a number from 1e-9 to 1e9"});
  if (query.statistic == Statistic::kQuantile) {
    const std::string drawn = "a quantile is drawn by the exponential mechanism, without noise";
    refuse_text(drawn, "--noise", texts.noise);
    refuse_text(drawn + ", and costs none", "--delta", texts.delta);
  }
  if (texts.noise) {
    query.noise = named_flag("--noise", *texts.noise, mechanisms::noise_kind_from_name,
                             "laplace or gaussian");
  }
  if (query.noise == mechanisms::NoiseKind::kLaplace) {
    refuse_text("Laplace noise costs none; expected with --noise gaussian only", "--delta",
                texts.delta);
    return;
  }
  query.budget.delta = probability_flag(
      "--delta", required_text("--delta", texts.delta, "Gaussian noise needs one"));
}

std::string read_head(const std::string& text) {
  const bool hash = text.size() == 64 && text.find_first_not_of("0123456789abcdef") == text.npos;
  if (hash) return text;
  throw UsageError("--ledger-head '" + text +
                   "': expected the 64 hexadecimal digits that an answer printed");
}

queries::TotalBudget read_total(const QueryTexts& texts) {
  queries::TotalBudget total;
  if (texts.total_epsilon) total.epsilon = positive_flag("--total-epsilon", *texts.total_epsilon);
  if (texts.total_delta) {
    total.delta = number_flag("--total-delta", *texts.total_delta,
                              {0, true, 1, false, "a number, 0 or above and below 1"});
  }
  if (texts.composition) {
    total.composing = named_flag("--composition", *texts.composition,
                                 mechanisms::composing_from_name, "basic or tight");
  }
  return total;
}

std::string read_where(const std::string& text) {
  if (!mechanisms::trimmed(text).empty()) return text;
  throw UsageError("--where '" + text + "': expected a condition, such as age>40");
}

void read_decimal(const QueryTexts& texts, QueryRequest& request) {
  request.query.decimal = request.declared.decimal();
  request.knows_decimal = request.declared.says_decimal() || texts.decimal;
  if (!texts.decimal) return;
  if (request.declared.says_decimal()) {
    refuse_text("the schema says it", "--decimal", texts.decimal);
  }
  if (*texts.decimal != "point" && *texts.decimal != "comma") {
    throw UsageError("--decimal '" + *texts.decimal + "': expected point or comma");
  }
  request.query.decimal = *texts.decimal == "comma" ? ',' : '.';
}

QueryRequest question_in(const QueryTexts& texts) {
  QueryRequest request{.data = {},
                       .ledger = {},
                       .ledger_head = {},
                       .accept_data_change = texts.accept_data_change,
                       .action = texts.action,
                       .declared = DeclaredColumns(texts),
                       .knows_decimal = false,
                       .query = {},
                       .total = {},
                       .json = texts.json};
  read_action(texts, request.declared, request.query);
  request.query.types = request.declared.types();
  read_decimal(texts, request);
  if (texts.where) request.query.where = read_where(*texts.where);
  request.data = file_flag("--data", required_text("--data", texts.data, "a CSV file"));
  request.ledger = kept_file_flag(
      "--ledger", required_text("--ledger", texts.ledger, "the file that keeps the budget"));
  if (texts.ledger_head) request.ledger_head = read_head(*texts.ledger_head);
  read_budget(texts, request.query);
  request.total = read_total(texts);
  return request;
}

PastRequest past_in(const QueryTexts& texts, const std::vector<std::string>& given) {
  constexpr std::array<std::string_view, 4> kKnown = {"QUERY", "--ledger", "--ledger-head",
                                                      "--json"};
  for (const auto& flag : given) {
    if (std::find(kKnown.begin(), kKnown.end(), flag) != kKnown.end()) continue;
    throw UsageError(flag + ": " + texts.action +
                     " asks the ledger only; expected --ledger, --ledger-head and --json");
  }
  PastRequest request;
  request.ledger =
      file_flag("--ledger", required_text("--ledger", texts.ledger, "the file of the budget"));
  if (texts.ledger_head) request.ledger_head = read_head(*texts.ledger_head);
  request.answers = texts.action == "answers";
  request.json = texts.json;
  return request;
}

}  // namespace

std::string bounds_missing(const QueryRequest& request) {
  return "--bounds is missing: without LOW,HIGH one record could move the " + request.action +
         " arbitrarily far, and no noise would hide it";
}

std::optional<std::variant<QueryRequest, PastRequest>> parse_query(const Arguments& arguments) {
  FlagSet app(
      "Answers questions about a table of private records, within a budget kept in a ledger.",
      "sotto query");
  QueryTexts texts;
  declare_query_flags(app, texts);
  if (!app.parse(arguments)) return std::nullopt;
  if (texts.action == "status" || texts.action == "answers") return past_in(texts, app.given());
  return question_in(texts);
}

}  // namespace sotto::cli
