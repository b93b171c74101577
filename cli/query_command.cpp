#include <array>
#include <iostream>
#include <string_view>
#include <utility>

#include "cli/command.h"
#include "cli/flags.h"
#include "cli/nearest_word.h"
#include "cli/query_output.h"
#include "cli/query_past.h"
#include "cli/query_request.h"
#include "data/csv_records.h"
#include "data/data_identity.h"
#include "data/record_lines.h"
#include "sotto/core/random.h"
#include "sotto/queries/queries.h"

namespace sotto::cli {

namespace {

using mechanisms::TableQuery;
using queries::LedgerRefused;
using queries::QueryLedger;
using queries::Refusal;

// The words of a query that refusals begin with, and its flags.
constexpr std::array<std::pair<std::string_view, const char*>, 4> kFlagsOfWords = {
    {{"grid", "--grid"},
     {"parts", "--bins, --categories or --groups"},
     {"bins", "--bins"},
     {"bounds", "--bounds"}}};

// A refusal that begins with whose fault it is: the flag's, or the file's.
std::string blaming(const std::string& refusal, const QueryRequest& request) {
  for (const auto& [word, flag] : kFlagsOfWords) {
    if (refusal.starts_with(word)) return flag + refusal.substr(word.size());
  }
  if (refusal.starts_with("condition")) return "--where: " + refusal;
  if (refusal.starts_with("declared")) return request.declared.flags() + ": " + refusal;
  return (refusal.starts_with("column") ? request.data : "--epsilon or --delta") + ": " + refusal;
}

// With the flags that would tell what the question means.
std::string undeclared_message(const mechanisms::UndeclaredColumn& error,
                               const QueryRequest& request) {
  const std::string why = error.what();
  const char* values = request.action == "table" ? "--columns " : "COLUMN ";
  std::string flags;
  for (const auto& type : error.accepted()) {
    flags += (flags.empty() ? "" : ", ") + type_flag(error.name(), type);
  }
  return (why.starts_with("condition") ? "--where: " : values) + why + ", by " + flags +
         " or --schema FILE";
}

// The query, if the flags fit the table.
TableQuery make_query(const QueryRequest& request, const std::vector<std::string>& columns) {
  request.declared.check_present(columns);
  try {
    return {request.query, columns};
  } catch (const NoValidAnalysis&) {
    const bool values = request.query.statistic != mechanisms::Statistic::kCount;
    if (request.query.bounds || !values) throw;
    throw UsageError(bounds_missing(request));
  } catch (const mechanisms::NoSuchColumn& error) {
    throw UsageError(request.data + ": " + error.what() + did_you_mean(error.name(), columns));
  } catch (const mechanisms::UndeclaredColumn& error) {
    throw UsageError(undeclared_message(error, request));
  } catch (const InvalidArgument& error) {
    throw UsageError(blaming(error.what(), request));
  }
}

constexpr const char* kForItsOwnData =
    "--accept-data-change: a training run's ledger is for its own data only, whatever flag is "
    "given; ";

// Named by the flags that would have to change.
std::string flag_message(const LedgerRefused& error, const QueryRequest& request) {
  const auto& reason = error.reason();
  const auto unchanged = [&](const char* flag) { return flag + reason + "; leave the flag out"; };
  switch (error.refusal()) {
    case Refusal::kNoTotal:
      return "--ledger '" + request.ledger + "': " + reason +
             ": --total-epsilon E, and --total-delta D if it may be more than 0";
    case Refusal::kTotalEpsilon:
      return unchanged("--total-epsilon: ");
    case Refusal::kTotalDelta:
      return unchanged("--total-delta: ");
    case Refusal::kComposition:
      return unchanged("--composition: ");
    case Refusal::kTotalDeltaOfZero:
      return "--total-delta is missing: " + reason;
    case Refusal::kTable:
      return (request.accept_data_change ? kForItsOwnData : "") + ("--data '" + request.data) +
             "': " + reason;
    case Refusal::kChangedTable:
      return "--data '" + request.data + "': " + reason +
             ", or --accept-data-change for a table that has grown";
    case Refusal::kNoLedger:
      return "--ledger '" + request.ledger +
             "': not there, but --ledger-head names a line of it; accepted: the ledger with all "
             "charges up to this one";
    case Refusal::kNameOfRunsOwn:
      return "--ledger '" + request.ledger + "': " + reason;
    case Refusal::kHead:
      return "--ledger-head '" + *request.ledger_head + "': " + reason;
  }
  return error.what();
}

QueryLedger open_ledger(const QueryRequest& request) {
  const auto identity = data::DataIdentity::of(request.data).text();
  try {
    return QueryLedger::open(
        request.ledger, {request.total, identity, request.ledger_head, request.accept_data_change});
  } catch (const LedgerRefused& error) {
    throw UsageError(flag_message(error, request));
  }
}

void warn_if_not_kept(const QueryLedger& ledger, const QueryRequest& request) {
  if (ledger.kept_answer()) return;
  std::cerr << "sotto query: " << request.ledger
            << ": the answer could not be written to the ledger, so `sotto query answers` will not "
               "show it again\n";
}

std::optional<char> recognised_separator(const data::RecordLines& records,
                                         const QueryRequest& request) {
  return request.declared.separator() ? std::nullopt : std::optional(records.separator());
}

// Where semicolons separate columns, numbers often have decimal commas: taken for text, they would
// be missing from an answer that is charged.
void require_known_decimals(char separator, const TableQuery& query, const QueryRequest& request) {
  if (separator != ';' || request.knows_decimal || !query.reads_numbers()) return;
  throw UsageError("--data '" + request.data +
                   "': its columns are separated by semicolons, and nothing says how its numbers "
                   "are written; expected --decimal comma, --decimal point, or a --schema with "
                   "\"decimal\"");
}

// In this order: everything that can fail, none of which depends on a row; the charge, on the disk;
// the answer.
void ask(const QueryRequest& request) {
  std::ifstream file = data::open_csv_file(request.data);
  data::RecordLines records(file, request.data, request.declared.separator());
  TableQuery query = make_query(request, records.columns());
  require_known_decimals(records.separator(), query, request);
  QueryLedger ledger = open_ledger(request);
  const auto add_records = [&](TableQuery& asked) {
    std::vector<std::string> fields;
    while (records.next(fields)) asked.add(fields);
  };
  SecureRandom random;
  auto answers = ledger.answer(query, add_records, random, request.action);
  QueryResult result{std::move(answers),      query.sensitivity(),
                     query.charge().cost,     ledger.account().spent(),
                     ledger.account().left(), ledger.account().terms().total,
                     ledger.head_hash(),      ledger.adjacency(),
                     ledger.data_changes(),   recognised_separator(records, request)};
  for (const auto& limit : query_limits(request)) std::cerr << "WARNING: " << limit << '\n';
  std::cout << (request.json ? query_json(request, result) : query_text(request, result));
  warn_if_not_kept(ledger, request);
}

void look_back(const PastRequest& request) {
  try {
    const auto past = queries::read_past_queries(request.ledger, request.ledger_head);
    std::cout << (request.json ? past_json(request, past) : past_text(request, past));
  } catch (const LedgerRefused& error) {
    const bool head = error.refusal() == Refusal::kHead;
    throw UsageError(
        (head ? "--ledger-head '" + *request.ledger_head : "--ledger '" + request.ledger) +
        "': " + error.reason());
  }
}

}  // namespace

int query_command(const Arguments& arguments) {
  const auto request = parse_query(arguments);
  if (!request) return 0;
  if (const auto* question = std::get_if<QueryRequest>(&*request)) {
    ask(*question);
  } else {
    look_back(std::get<PastRequest>(*request));
  }
  return 0;
}

}  // namespace sotto::cli
