#include <iostream>

#include "cli/command.h"
#include "cli/csv_records.h"
#include "cli/flags.h"
#include "cli/query_ledger.h"
#include "cli/query_output.h"
#include "cli/query_request.h"
#include "sotto/core/random.h"
#include "sotto/data/data_identity.h"
#include "sotto/data/record_lines.h"

namespace sotto::cli {

namespace {

using mechanisms::TableQuery;

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

nlohmann::json description(const QueryRequest& request, const TableQuery& query) {
  const auto& options = request.query;
  nlohmann::json json{{"query", request.action}, {"noise", name(options.noise)}};
  if (!options.column.empty()) json["column"] = options.column;
  if (options.bounds) json["bounds"] = {options.bounds->low(), options.bounds->high()};
  if (!options.by.empty()) json["by"] = options.by;
  if (!query.labels().empty()) json["parts"] = query.labels();
  if (!options.where.empty()) json["where"] = options.where;
  return json;
}

LedgerDemands demands_of(const QueryRequest& request) {
  return {request.total, request.data, data::DataIdentity::of(request.data).text(),
          request.ledger_head};
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
  QueryLedger ledger = QueryLedger::open(request->ledger, demands_of(*request));
  ledger.charge(query.charge(), description(*request, query));
  std::vector<std::string> fields;
  while (records.next(fields)) query.add(fields);
  SecureRandom random;
  QueryResult result{query.release(random),   query.sensitivity(),
                     query.charge().cost,     ledger.account().spent(),
                     ledger.account().left(), ledger.account().terms().total,
                     ledger.head_hash()};
  std::cout << (request->json ? query_json(*request, result) : query_text(*request, result));
  return 0;
}

}  // namespace sotto::cli
