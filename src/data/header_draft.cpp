#include "data/header_draft.h"

#include <nlohmann/json.hpp>
#include <set>

#include "data/column_inputs.h"
#include "data/csv_records.h"
#include "data/quoted_value.h"
#include "sotto/core/error.h"

namespace sotto::data {

bool is_utf8(const std::string& text) {
  try {
    static_cast<void>(nlohmann::json(text).dump());
    return true;
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

SchemaDraft draft_from_header(const std::filesystem::path& table, char separator) {
  auto input = open_csv_file(table);
  CsvReader reader(input, table.string(), separator);
  std::vector<std::string> names;
  check_argument(reader.next(names), table.string(),
                 ": empty, must begin with a line of column names");
  SchemaDraft draft;
  draft.format.separator = separator;
  std::set<std::string> seen;
  for (const auto& name : names) {
    check_argument(
        is_utf8(name), reader.place(), ": the column name ", quoted_value(name),
        " is not UTF-8; accepted: a table in UTF-8 (iconv -f latin1 -t utf8 makes one of "
        "Latin-1)");
    draft.columns.push_back({std::string(trimmed_field(name))});
    check_argument(seen.insert(draft.columns.back().name).second, reader.place(),
                   ": two columns are called ", quoted_value(draft.columns.back().name));
  }
  return draft;
}

}  // namespace sotto::data
