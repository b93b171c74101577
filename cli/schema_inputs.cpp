#include "cli/schema_inputs.h"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/csv_records.h"
#include "cli/text_layout.h"
#include "core/printed_number.h"
#include "data/csv_schema.h"
#include "data/table_header.h"
#include "sotto/core/error.h"
#include "sotto/mechanisms/record_filter.h"

namespace sotto::cli {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kDigits = 9;

struct ShownColumn {
  std::string name;
  std::string kind;                      // "integer from 0 to 120"
  std::vector<std::string> inputs = {};  // what each of them is
};

const char* kind_name(data::NumberKind kind) {
  return kind == data::NumberKind::kDate      ? "date"
         : kind == data::NumberKind::kInteger ? "integer"
                                              : "number";
}

ShownColumn shown(const std::string& name, const data::NumericColumn& column) {
  ShownColumn result{name, kind_name(column.kind)};
  if (const auto* range = std::get_if<data::RangeScale>(&column.scale)) {
    result.kind +=
        " from " + column.field(range->low, kDigits) + " to " + column.field(range->high, kDigits);
    result.inputs = {"from -1 to 1"};
  } else {
    const auto& standard = std::get<data::StandardScale>(column.scale);
    result.kind += " around " + significant(standard.mean, kDigits) + ", deviation " +
                   significant(standard.deviation, kDigits);
    result.inputs = {"deviations from the mean, from -10 to 10"};
  }
  if (column.missing) result.kind += "; missing is " + column.field(*column.missing, kDigits);
  if (column.indicator) result.inputs.emplace_back("1 if missing");
  return result;
}

ShownColumn shown(const std::string& name, const data::CategoricalColumn& column) {
  ShownColumn result{name, column.other ? "category, others allowed" : "category"};
  for (const auto& category : column.categories) result.inputs.push_back("1 if " + category);
  if (column.missing) result.kind += "; missing is " + *column.missing;
  if (column.indicator) result.inputs.emplace_back("1 if missing");
  return result;
}

std::vector<ShownColumn> shown_columns(const data::CsvSchema& schema) {
  std::vector<ShownColumn> columns;
  for (const auto& [name, rule] : schema.columns) {
    columns.push_back(
        std::visit([&, &column = name](const auto& kind) { return shown(column, kind); }, rule));
  }
  for (const auto& name : schema.carried()) {
    columns.push_back({name, name == schema.person ? "person" : "id"});
  }
  for (const auto& name : schema.dropped) columns.push_back({name, "ignored"});
  std::string classes;
  for (const auto& name : schema.classes) classes += (classes.empty() ? "" : ", ") + name;
  columns.push_back({schema.label, "label: " + classes});
  return columns;
}

void check_header(const std::filesystem::path& table, const data::CsvSchema& schema) {
  auto input = open_csv_file(table);
  data::CsvReader reader(input, table.string(), schema.format.separator);
  std::vector<std::string> names;
  check_argument(reader.next(names), table.string(),
                 ": empty, must begin with a line of column names");
  for (auto& name : names) name = std::string(mechanisms::trimmed(name));
  const auto problems = data::header_problems(names, schema, data::RowsFor::kPrediction);
  if (!problems.empty()) throw InvalidArgument(reader.place() + ": " + problems.front());
}

void print_columns(const std::vector<ShownColumn>& columns) {
  std::size_t name_width = 0;
  std::size_t kind_width = 0;
  for (const auto& column : columns) {
    name_width = std::max(name_width, display_width(column.name) + 2);
    kind_width = std::max(kind_width, display_width(column.kind) + 2);
  }
  std::int64_t number = 0;
  for (const auto& column : columns) {
    if (column.inputs.empty()) {
      std::cout << padded(column.name, name_width) << column.kind << '\n';
      continue;
    }
    std::string name = column.name;
    std::string kind = column.kind;
    for (const auto& input : column.inputs) {
      std::cout << padded(name, name_width) << padded(kind, kind_width) << "input " << ++number
                << ": " << input << '\n';
      name.clear();
      kind.clear();
    }
  }
}

void print_columns_json(const std::vector<ShownColumn>& columns, std::int64_t inputs) {
  Json list = Json::array();
  for (const auto& column : columns) {
    list.push_back({{"column", column.name}, {"kind", column.kind}, {"inputs", column.inputs}});
  }
  std::cout << Json{{"inputs", inputs}, {"columns", list}}.dump(2) << '\n';
}

}  // namespace

void show_table(const std::filesystem::path& table, const std::filesystem::path& schema,
                bool json) {
  const auto read = data::read_csv_schema(schema);
  check_header(table, read);
  const auto columns = shown_columns(read);
  if (json) {
    print_columns_json(columns, read.feature_count());
  } else {
    print_columns(columns);
  }
}

}  // namespace sotto::cli
