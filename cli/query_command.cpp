#include <iostream>

#include "cli/command.h"
#include "cli/csv_records.h"
#include "cli/flags.h"
#include "cli/query_output.h"
#include "cli/query_request.h"
#include "data/data_identity.h"
#include "data/record_lines.h"
#include "sotto/core/random.h"
#include "sotto/queries/query_ledger.h"

namespace sotto::cli {

namespace {

using mechanisms::TableQuery;
using queries::LedgerRefused;
using queries::QueryLedger;
using queries::Refusal;

// Whose fault a refusal is: the flag's, or the file's.
std::string culprit(const std::string& refusal, const std::string& data) {
  if (refusal.starts_with("condition")) return "--where: ";
  if (refusal.starts_with("grid")) return "--grid: ";
  return refusal.starts_with("column") ? data + ": " : "--epsilon or --delta: ";
}

// The query, if the flags fit the table.
TableQuery make_query(const QueryRequest& request, const std::vector<std::string>& columns) {
  try {
    return {request.query, columns};
  } catch (const InvalidArgument& error) {
    throw UsageError(culprit(error.what(), request.data) + error.what());
  }
}

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
      return "--data '" + request.data + "': " + reason;
    case Refusal::kNoLedger:
      return "--ledger '" + request.ledger +
             "': not there, but --ledger-head names a line of it; accepted: the ledger with all "
             "charges up to this one";
    case Refusal::kHead:
      return "--ledger-head '" + *request.ledger_head + "': " + reason;
  }
  return error.what();
}

QueryLedger open_ledger(const QueryRequest& request) {
  const auto identity = data::DataIdentity::of(request.data).text();
  try {
    return QueryLedger::open(request.ledger, {request.total, identity, request.ledger_head});
  } catch (const LedgerRefused& error) {
    throw UsageError(flag_message(error, request));
  }
}

}  // namespace

// In this order: everything that can fail, none of which depends on a row; the charge, on the disk;
// the answer.
int query_command(const Arguments& arguments) {
  const auto request = parse_query(arguments);
  if (!request) return 0;
  std::ifstream file = open_csv_file(request->data);
  data::RecordLines records(file, request->data);
  TableQuery query = make_query(*request, records.columns());
  QueryLedger ledger = open_ledger(*request);
  const auto add_records = [&](TableQuery& asked) {
    std::vector<std::string> fields;
    while (records.next(fields)) asked.add(fields);
  };
  SecureRandom random;
  auto answers = ledger.answer(query, add_records, random, request->action);
  QueryResult result{std::move(answers),      query.sensitivity(),
                     query.charge().cost,     ledger.account().spent(),
                     ledger.account().left(), ledger.account().terms().total,
                     ledger.head_hash(),      ledger.relation()};
  std::cout << (request->json ? query_json(*request, result) : query_text(*request, result));
  return 0;
}

}  // namespace sotto::cli
