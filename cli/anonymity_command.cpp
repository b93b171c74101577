#include <iostream>
#include <utility>

#include "cli/anonymity_output.h"
#include "cli/anonymity_request.h"
#include "cli/command.h"
#include "cli/flags.h"
#include "cli/nearest_word.h"
#include "core/atomic_file.h"
#include "data/csv_records.h"
#include "sotto/core/error.h"
#include "sotto/mechanisms/record_filter.h"

namespace sotto::cli {

namespace {

struct TableFile {
  anonymity::Table table;
  char separator = ',';
};

TableFile read_table(const std::string& path) {
  data::CsvRecords records(path);
  anonymity::Table table{records.columns(), {}};
  std::vector<std::string> fields;
  while (records.next(fields)) {
    for (auto& field : fields) field = std::string(mechanisms::trimmed(field));
    table.rows.push_back(fields);
  }
  check_argument(!table.rows.empty(), path, ": no rows under the column names");
  return {std::move(table), records.separator()};
}

anonymity::Roles roles_in(const anonymity::Table& table, const AnonymityRequest& request) {
  try {
    return anonymity::find_roles(table.columns, request.quasi, request.sensitive);
  } catch (const mechanisms::NoSuchColumn& error) {
    throw UsageError(error.what() + did_you_mean(error.name(), table.columns));
  }
}

bool holds(const anonymity::Measures& measures, const anonymity::Requirements& requirements) {
  for (const auto& group : measures.groups) {
    if (!failures(group, requirements).empty()) return false;
  }
  return true;
}

}  // namespace

int anonymity_command(const Arguments& arguments) {
  const auto request = parse_anonymity(arguments);
  if (!request) return 0;
  const auto [table, separator] = read_table(request->data);
  const auto roles = roles_in(table, *request);
  if (!request->release) {
    const auto measures = measure(table, roles);
    std::cout << (request->json ? anonymity_json(*request, measures)
                                : anonymity_text(*request, measures));
    return holds(measures, request->options.requirements) ? 0 : 1;
  }
  const auto released = anonymise(table, roles, request->options);
  write_file_atomically(*request->release, csv_text(released.table, separator));
  std::cout << (request->json ? release_json(*request, released)
                              : release_text(*request, released));
  return 0;
}

}  // namespace sotto::cli
