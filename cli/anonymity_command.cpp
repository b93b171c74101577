#include <iostream>

#include "cli/anonymity_output.h"
#include "cli/anonymity_request.h"
#include "cli/command.h"
#include "cli/csv_records.h"
#include "cli/flags.h"
#include "core/atomic_file.h"
#include "sotto/core/error.h"
#include "sotto/mechanisms/record_filter.h"

namespace sotto::cli {

namespace {

anonymity::Table read_table(const std::string& path) {
  CsvRecords records(path);
  anonymity::Table table{records.columns(), {}};
  std::vector<std::string> fields;
  while (records.next(fields)) {
    for (auto& field : fields) field = std::string(mechanisms::trimmed(field));
    table.rows.push_back(fields);
  }
  check_argument(!table.rows.empty(), path, ": no rows under the column names");
  return table;
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
  const auto table = read_table(request->data);
  const auto roles = anonymity::find_roles(table.columns, request->quasi, request->sensitive);
  if (!request->release) {
    const auto measures = measure(table, roles);
    std::cout << (request->json ? anonymity_json(*request, measures)
                                : anonymity_text(*request, measures));
    return holds(measures, request->options.requirements) ? 0 : 1;
  }
  const auto released = anonymise(table, roles, request->options);
  write_file_atomically(*request->release, csv_text(released.table));
  std::cout << (request->json ? release_json(*request, released)
                              : release_text(*request, released));
  return 0;
}

}  // namespace sotto::cli
