#include "cli/query_flags.h"

namespace sotto::cli {

namespace {

constexpr const char* kExamples = R"(
One of:
  count                                        records
  sum COLUMN --bounds LOW,HIGH                 values, moved into the bounds
  mean COLUMN --bounds LOW,HIGH                half of the budget for the sum, half for the count
  median COLUMN --bounds LOW,HIGH              the middle one of the values
  quantile COLUMN --quantile Q                 the one that a share Q is below; with --bounds
  histogram COLUMN --bins A,B,C                counts in [A, B) and [B, C]
  histogram COLUMN --categories X,Y,Z          counts of each
  table --columns A,B                          counts of every pair, of --categories A=X,Y
                                               or --bins A=0,18,65
  status                                       what is left of a ledger's budget; costs nothing
  answers                                      earlier answers again; costs nothing
any of the first five with --by COLUMN --groups X,Y,Z: an answer for each group, at the price of one.

Bounds, bins, categories and groups must be known without looking at the data; where a --schema
declares them, they need not be given again. A value with a comma is quoted: '"Paris, 5e",Lyon'.
What a column holds must be declared, by --type or --schema, for sums, means, quantiles and bins of
it, and to compare it with a number or a date; without that it is text, which = and != compare. A
field that does not fit, or a line that is not a record, counts as absent: nothing in the rows can
make a query fail.

Examples:
  sotto query --data people.csv --ledger budget.json --total-epsilon 1 --epsilon 0.1 count
  sotto query --data people.csv --ledger budget.json --epsilon 0.1 count --where "city=Lyon"
  sotto query --data people.csv --ledger budget.json --epsilon 0.1 count --type age=number \
    --where "age>40"
  sotto query --data people.csv --ledger budget.json --epsilon 0.1 count --type admitted=date \
    --where "admitted>=2024-01-01"
  sotto query --data people.csv --ledger budget.json --epsilon 0.2 mean age --type age=number \
    --bounds 0,120
  sotto query --data people.csv --ledger budget.json --epsilon 0.1 median age --schema schema.json
  sotto query --data people.csv --ledger budget.json --epsilon 0.1 histogram age \
    --type age=number --bins 0,18,65,120
  sotto query --data people.csv --ledger budget.json --epsilon 0.1 sum pay --type pay=number \
    --bounds 0,9000 --by city --groups Lyon,Paris --json
  sotto query status --ledger budget.json
)";

void declare_question(FlagSet& app, QueryTexts& texts) {
  app.add_option("QUERY", texts.action,
                 "count, sum, mean, median, quantile, histogram, table, status or answers")
      .required();
  app.add_option("COLUMN", texts.column, "column of a sum, a mean, a quantile or a histogram");
  app.add_option("--where CONDITION", texts.where,
                 "which records, e.g. \"age>40 and not city='Lyon'\"");
  app.add_option("--bounds LOW,HIGH", texts.bounds,
                 "LOW,HIGH: values outside count as the nearer one");
  app.add_option("--grid X", texts.grid,
                 "values are rounded to its multiples (default: very fine; of a quantile, counted "
                 "from LOW, a thousandth of the bounds' distance)");
  app.add_option("--quantile X", texts.quantile, "share of the values below it, such as 0.9");
  app.add_option("--columns A,B", texts.columns, "A,B: the two columns of a table");
  app.add_option("--bins X,X,...", texts.bins,
                 "edges of a histogram's bins; in a table COLUMN=EDGES")
      .repeatable();
  app.add_option("--categories A,B,...", texts.categories,
                 "values that a histogram counts; in a table COLUMN=VALUES")
      .repeatable();
  app.add_option("--by COLUMN", texts.by, "an answer for each group of this column");
  app.add_option("--groups A,B,...", texts.groups, "the groups");
}

void declare_table(FlagSet& app, QueryTexts& texts) {
  app.add_option(
      "--data FILE", texts.data,
      "table with a line of column names, which shows its separator; a line is a record");
  app.add_option(
      "--schema FILE", texts.schema,
      "what the columns hold, as for sotto train: questions that make no sense, or lie outside a "
      "declared range, are refused");
  app.add_option("--type COLUMN=number|date|text", texts.types,
                 "COLUMN=number, date or text: what a column without a schema holds, which must be "
                 "known wherever it is taken for more than text")
      .repeatable();
  app.add_option(
      "--decimal point|comma", texts.decimal,
      "decimal sign of numbers; must be declared for a table whose columns are separated by "
      "semicolons, here or in the schema (\"decimal\")");
}

void declare_budget(FlagSet& app, QueryTexts& texts) {
  app.add_option("--ledger FILE", texts.ledger,
                 "file that records what was spent; created if it does not exist");
  app.add_option("--ledger-head HASH", texts.ledger_head,
                 "head printed by the last answer: a ledger without it is refused");
  app.add_option("--epsilon X", texts.epsilon, "ε that this query may cost");
  app.add_option("--delta X", texts.delta, "δ that it may cost (Gaussian noise only)");
  app.add_option("--noise laplace|gaussian", texts.noise,
                 "laplace or gaussian (default laplace), both discrete");
  app.add_option("--total-epsilon X", texts.total_epsilon, "new ledger: ε of all queries together");
  app.add_option("--total-delta X", texts.total_delta,
                 "new ledger: δ of all queries together (default 0)");
  app.add_option("--composition basic|tight", texts.composition,
                 "new ledger: basic (default: ε add up), or tight (less, if every query's ε, "
                 "and their number, is decided before any answer is seen)");
}

}  // namespace

void declare_query_flags(FlagSet& app, QueryTexts& texts) {
  declare_question(app, texts);
  declare_table(app, texts);
  declare_budget(app, texts);
  app.add_flag("--accept-data-change", texts.accept_data_change,
               "the table has grown, or changed, since the budget was made");
  app.add_flag("--json", texts.json, "print one JSON object");
  app.footer(kExamples);
}

const std::string& required_text(const char* flag, const FlagText& text, const char* what) {
  if (!text) throw UsageError(std::string(flag) + " is missing: " + what);
  return *text;
}

void refuse_text(const std::string& why, const char* flag, const FlagText& text) {
  if (text) throw UsageError(std::string(flag) + " '" + *text + "': " + why);
}

}  // namespace sotto::cli
