#include "data/check_json.h"

#include <nlohmann/json.hpp>

namespace sotto::data {
namespace {

using CheckJson = nlohmann::ordered_json;

CheckJson column_or_null(const std::string& column) {
  return column.empty() ? CheckJson() : CheckJson(column);
}

CheckJson unlisted_json(const TableCheck& check) {
  CheckJson list = CheckJson::array();
  for (const auto& [column, lines] : check.unlisted) {
    list.push_back({{"column", column_or_null(column)}, {"lines", lines}});
  }
  return list;
}

CheckJson person_json(const TableCheck& check) {
  if (!check.person) return nullptr;
  return {{"column", check.person->column},
          {"most_rows", check.person->most},
          {"rows_without", check.person->without}};
}

}  // namespace

CheckJson problems_json(const SchemaCheck& check) {
  CheckJson list = CheckJson::array();
  for (const auto& problem : check.problems) {
    list.push_back({{"line", problem.line},
                    {"character", problem.character},
                    {"column", column_or_null(problem.column)},
                    {"problem", problem.text},
                    {"to_declare", problem.to_declare}});
  }
  return list;
}

CheckJson table_check_json(const TableCheck& check, const std::string& file) {
  CheckJson problems = CheckJson::array();
  for (const auto& problem : check.problems) {
    problems.push_back({{"column", column_or_null(problem.column)},
                        {"problem", problem.text},
                        {"lines", problem.lines}});
  }
  CheckJson clamped = CheckJson::array();
  for (const auto& entry : check.clamped) {
    clamped.push_back({{"column", entry.column}, {"lines", entry.lines}});
  }
  return {{"file", file},
          {"rows", check.rows},
          {"problems", problems},
          {"unlisted", unlisted_json(check)},
          {"outside_range", clamped},
          {"person", person_json(check)},
          {"private", kRowsArePrivate}};
}

}  // namespace sotto::data
