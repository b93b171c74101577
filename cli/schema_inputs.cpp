#include "cli/schema_inputs.h"

#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/text_table.h"
#include "data/described_columns.h"

namespace sotto::cli {
namespace {

using Json = nlohmann::ordered_json;

void print_columns(const std::vector<data::DescribedColumn>& columns) {
  TextTable table;
  std::int64_t number = 0;
  for (const auto& column : columns) {
    if (column.inputs.empty()) table.add({column.name, column.kind});
    std::string name = column.name;
    std::string kind = column.kind;
    for (const auto& input : column.inputs) {
      table.add({std::exchange(name, ""), std::exchange(kind, ""),
                 "input " + std::to_string(++number) + ": " + input});
    }
  }
  std::cout << table.text();
}

void print_columns_json(const std::vector<data::DescribedColumn>& columns, std::int64_t inputs) {
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
  data::check_header(table, read);
  const auto columns = data::described_columns(read);
  if (json) {
    print_columns_json(columns, read.feature_count());
  } else {
    print_columns(columns);
  }
}

}  // namespace sotto::cli
