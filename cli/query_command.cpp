#include <iostream>

#include "cli/command.h"
#include "cli/csv_records.h"
#include "cli/flags.h"
#include "cli/query_ledger.h"
#include "cli/query_output.h"
#include "cli/query_request.h"
#include "sotto/core/random.h"

namespace sotto::cli {

namespace {

using mechanisms::TableQuery;

// Reads everything once before anything is charged: a file that is no CSV, or a column without any
// number where numbers are asked for, must not cost. That a column holds text is taken for public,
// like its name.
void check_table(const QueryRequest& request) {
  CsvRecords records(request.data);
  const auto& options = request.query;
  const bool bins = std::holds_alternative<mechanisms::Bins>(options.parts);
  const std::string& column = bins ? options.by : options.column;
  const bool wants_numbers = bins || options.statistic != mechanisms::Statistic::kCount;
  const std::size_t index = wants_numbers ? mechanisms::column_index(column, records.columns()) : 0;
  std::vector<std::string> fields;
  bool any_number = false;
  bool any_text = false;
  while (records.next(fields)) {
    if (mechanisms::field_number(fields[index])) any_number = true;
    if (!mechanisms::trimmed(fields[index]).empty()) any_text = true;
  }
  check_argument(!wants_numbers || any_number || !any_text, request.data, ": column '", column,
                 "': holds text and not one number; accepted: a column of numbers",
                 bins ? ", or --categories" : "");
}

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

}  // namespace

// In this order: everything that can fail; the charge, on the disk; the answer.
int query_command(const Arguments& arguments) {
  const auto request = parse_query(arguments);
  if (!request) return 0;
  CsvRecords records(request->data);
  TableQuery query = make_query(*request, records.columns());
  check_table(*request);
  QueryLedger ledger = QueryLedger::open(request->ledger, request->total);
  ledger.charge(query.charge(), description(*request, query));
  std::vector<std::string> fields;
  while (records.next(fields)) query.add(fields);
  SecureRandom random;
  QueryResult result{query.release(random),   query.sensitivity(),
                     query.charge().cost,     ledger.account().spent(),
                     ledger.account().left(), ledger.account().terms().total};
  std::cout << (request->json ? query_json(*request, result) : query_text(*request, result));
  return 0;
}

}  // namespace sotto::cli
