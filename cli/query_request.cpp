#include "cli/query_request.h"

#include <array>

#include "cli/flags.h"

namespace sotto::cli {

namespace {

using mechanisms::QueryOptions;
using mechanisms::Statistic;

constexpr const char* kExamples = R"(
One of:
  count                                        records
  sum COLUMN --bounds LOW,HIGH                 values, moved into the bounds
  mean COLUMN --bounds LOW,HIGH                half of the budget for the sum, half for the count
  histogram COLUMN --bins A,B,C                counts in [A, B) and [B, C]
  histogram COLUMN --categories X,Y,Z          counts of each
any of the first three with --by COLUMN --groups X,Y,Z: an answer for each group, at the price of one.

Bounds, bins, categories and groups must be known without looking at the data. A field that does not
fit, or a line that is not a record, counts as absent: nothing in the rows can make a query fail.

Examples:
  sotto query --data people.csv --ledger budget.json --total-epsilon 1 --epsilon 0.1 count
  sotto query --data people.csv --ledger budget.json --epsilon 0.1 count --where "age>40"
  sotto query --data people.csv --ledger budget.json --epsilon 0.2 mean age --bounds 0,120
  sotto query --data people.csv --ledger budget.json --epsilon 0.1 histogram age --bins 0,18,65,120
  sotto query --data people.csv --ledger budget.json --epsilon 0.1 sum pay --bounds 0,9000 \
    --by city --groups Lyon,Paris --json
)";

struct Texts {
  std::string action;
  FlagText column, data, ledger, ledger_head, epsilon, delta, noise, where, bounds, grid, bins,
      categories, by, groups, total_epsilon, total_delta, composition;
};

void add_flags(FlagSet& app, Texts& texts, bool& json) {
  app.add_option("QUERY", texts.action, "count, sum, mean or histogram").required();
  app.add_option("COLUMN", texts.column, "of a sum, a mean or a histogram");
  app.add_option("--data", texts.data, "CSV file with a line of column names; a line is a record");
  app.add_option("--ledger", texts.ledger, "file of what was spent; created if it does not exist");
  app.add_option("--ledger-head", texts.ledger_head,
                 "head printed by the last answer: a ledger without it is refused");
  app.add_option("--epsilon", texts.epsilon, "ε that this query may cost");
  app.add_option("--delta", texts.delta, "δ that it may cost (Gaussian noise only)");
  app.add_option("--where", texts.where, "which records, e.g. \"age>40 and not city='Lyon'\"");
  app.add_option("--bounds", texts.bounds, "LOW,HIGH: values outside count as the nearer one");
  app.add_option("--grid", texts.grid, "values are rounded to its multiples (default: very fine)");
  app.add_option("--bins", texts.bins, "edges of a histogram's bins");
  app.add_option("--categories", texts.categories, "values that a histogram counts");
  app.add_option("--by", texts.by, "an answer for each group of this column");
  app.add_option("--groups", texts.groups, "the groups");
  app.add_option("--noise", texts.noise, "laplace or gaussian (default laplace), both discrete");
  app.add_option("--total-epsilon", texts.total_epsilon, "new ledger: ε of all queries together");
  app.add_option("--total-delta", texts.total_delta,
                 "new ledger: δ of all queries together (default 0)");
  app.add_option("--composition", texts.composition,
                 "new ledger: basic (default: ε add up), or tight (less, if every query's ε, "
                 "and their number, is decided before any answer is seen)");
  app.add_flag("--json", json, "print one JSON object");
  app.footer(kExamples);
}

const std::string& required(const char* flag, const FlagText& text, const char* what) {
  if (!text) throw UsageError(std::string(flag) + " is missing: " + what);
  return *text;
}

void refuse(const std::string& what, const char* flag, const FlagText& text) {
  if (text) throw UsageError(std::string(flag) + " '" + *text + "': " + what);
}

[[noreturn]] void refuse_action(const std::string& action) {
  for (const char* known : {"max", "min", "range"}) {
    if (action != known) continue;
    throw NoValidAnalysis(action +
                          ": one record can move it arbitrarily far (its sensitivity is infinite), "
                          "so no noise hides a record; accepted: count, sum, mean, histogram");
  }
  for (const char* known : {"median", "quantile", "mode", "variance", "std"}) {
    if (action != known) continue;
    throw NoValidAnalysis(
        action +
        ": no mechanism of bounded sensitivity for it here; accepted: count, sum, "
        "mean, histogram (whose counts show roughly where quantiles are)");
  }
  throw UsageError("QUERY '" + action +
                   "': expected count, sum, mean or histogram (records "
                   "themselves are never shown)");
}

template <typename Make>
auto checked(const std::string& flag, const std::string& text, Make make) {
  try {
    return make();
  } catch (const InvalidArgument& error) {
    throw UsageError(flag + " '" + text + "': " + error.what());
  }
}

void read_bounds(const Texts& texts, QueryOptions& query) {
  if (texts.bounds) {
    const auto ends = number_list_flag("--bounds", *texts.bounds);
    if (ends.size() != 2) throw UsageError("--bounds '" + *texts.bounds + "': expected LOW,HIGH");
    query.bounds = checked("--bounds", *texts.bounds,
                           [&] { return mechanisms::ValueBounds(ends[0], ends[1]); });
  } else {
    throw UsageError("--bounds is missing: without LOW,HIGH one record could move the " +
                     std::string(name(query.statistic)) +
                     " arbitrarily far, and no noise would hide it");
  }
  if (texts.grid) query.grid = positive_flag("--grid", *texts.grid);
}

void read_histogram(const Texts& texts, QueryOptions& query) {
  query.by = required("COLUMN", texts.column, "histogram COLUMN --bins ... or --categories ...");
  refuse("a histogram has --bins or --categories already", "--by", texts.by);
  if (texts.bins.has_value() == texts.categories.has_value()) {
    throw UsageError(
        "histogram takes either --bins or --categories, known without looking at the "
        "data; bins found in the data would reveal something about it");
  }
  if (texts.bins) {
    query.parts = checked("--bins", *texts.bins, [&] {
      return mechanisms::Bins(number_list_flag("--bins", *texts.bins));
    });
  } else {
    query.parts = checked("--categories", *texts.categories, [&] {
      return mechanisms::Categories(list_flag("--categories", *texts.categories));
    });
  }
}

void read_groups(const Texts& texts, QueryOptions& query) {
  refuse("is for histogram only; groups have --by and --groups", "--bins", texts.bins);
  refuse("is for histogram only; groups have --by and --groups", "--categories", texts.categories);
  if (texts.by.has_value() != texts.groups.has_value()) {
    throw UsageError(
        "--by and --groups go together: a column, and its groups as known without "
        "looking at the data");
  }
  if (!texts.by) return;
  query.by = *texts.by;
  query.parts = checked("--groups", *texts.groups, [&] {
    return mechanisms::Categories(list_flag("--groups", *texts.groups));
  });
}

void read_action(const Texts& texts, QueryOptions& query) {
  if (texts.action == "histogram") {
    read_histogram(texts, query);
  } else if (texts.action == "count") {
    refuse("count takes no column; --where chooses records", "COLUMN", texts.column);
    read_groups(texts, query);
  } else if (texts.action == "sum" || texts.action == "mean") {
    query.statistic = texts.action == "sum" ? Statistic::kSum : Statistic::kMean;
    query.column = required("COLUMN", texts.column, "whose values?");
    read_bounds(texts, query);
    read_groups(texts, query);
    return;
  } else {
    refuse_action(texts.action);
  }
  refuse("is for sum and mean only", "--bounds", texts.bounds);
  refuse("is for sum and mean only; counts are whole", "--grid", texts.grid);
}

void read_budget(const Texts& texts, QueryOptions& query) {
  query.budget.epsilon =
      number_flag("--epsilon", required("--epsilon", texts.epsilon, "what may the query cost?"),
                  {1e-9, true, 1e9, true, "a number from 1e-9 to 1e9"});
  if (texts.noise) {
    query.noise = named_flag("--noise", *texts.noise, mechanisms::noise_kind_from_name,
                             "laplace or gaussian");
  }
  if (query.noise == mechanisms::NoiseKind::kLaplace) {
    refuse("Laplace noise costs none; expected with --noise gaussian only", "--delta", texts.delta);
    return;
  }
  query.budget.delta =
      probability_flag("--delta", required("--delta", texts.delta, "Gaussian noise needs one"));
}

std::string read_head(const std::string& text) {
  const bool hash = text.size() == 64 && text.find_first_not_of("0123456789abcdef") == text.npos;
  if (hash) return text;
  throw UsageError("--ledger-head '" + text +
                   "': expected the 64 hexadecimal digits that an answer printed");
}

queries::TotalBudget read_total(const Texts& texts) {
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

}  // namespace

std::optional<QueryRequest> parse_query(const Arguments& arguments) {
  FlagSet app(
      "Answers questions about a table of private records, within a budget kept in a ledger.",
      "sotto query");
  Texts texts;
  QueryRequest request;
  add_flags(app, texts, request.json);
  if (!app.parse(arguments)) return std::nullopt;
  request.action = texts.action;
  read_action(texts, request.query);
  if (texts.where) {
    if (mechanisms::trimmed(*texts.where).empty()) {
      throw UsageError("--where '" + *texts.where + "': expected a condition, such as age>40");
    }
    request.query.where = *texts.where;
  }
  request.data = file_flag("--data", required("--data", texts.data, "a CSV file"));
  request.ledger = required("--ledger", texts.ledger, "the file that keeps the budget");
  if (texts.ledger_head) request.ledger_head = read_head(*texts.ledger_head);
  read_budget(texts, request.query);
  request.total = read_total(texts);
  return request;
}

}  // namespace sotto::cli
