#include "data/described_columns.h"

#include "core/printed_number.h"
#include "data/column_inputs.h"
#include "data/csv_records.h"
#include "data/table_header.h"
#include "sotto/core/error.h"

namespace sotto::data {
namespace {

constexpr int kBoundDigits = 9;

const char* kind_name(NumberKind kind) {
  return kind == NumberKind::kDate ? "date" : kind == NumberKind::kInteger ? "integer" : "number";
}

DescribedColumn described(const std::string& name, const NumericColumn& column) {
  DescribedColumn result{name, kind_name(column.kind)};
  if (const auto* range = std::get_if<RangeScale>(&column.scale)) {
    result.kind += " from " + column.field(range->low, kBoundDigits) + " to " +
                   column.field(range->high, kBoundDigits);
    result.inputs = {"from -1 to 1"};
  } else {
    const auto& standard = std::get<StandardScale>(column.scale);
    result.kind += " around " + significant(standard.mean, kBoundDigits) + ", deviation " +
                   significant(standard.deviation, kBoundDigits);
    result.inputs = {"deviations from the mean, from -10 to 10"};
  }
  if (column.missing) result.kind += "; missing is " + column.field(*column.missing, kBoundDigits);
  if (column.indicator) result.inputs.emplace_back("1 if missing");
  return result;
}

DescribedColumn described(const std::string& name, const CategoricalColumn& column) {
  DescribedColumn result{name, column.other ? "category, others allowed" : "category"};
  for (const auto& category : column.categories) result.inputs.push_back("1 if " + category);
  if (column.missing) result.kind += "; missing is " + *column.missing;
  if (column.indicator) result.inputs.emplace_back("1 if missing");
  return result;
}

}  // namespace

std::vector<DescribedColumn> described_columns(const CsvSchema& schema) {
  std::vector<DescribedColumn> columns;
  for (const auto& [name, rule] : schema.columns) {
    columns.push_back(std::visit(
        [&, &column = name](const auto& kind) { return described(column, kind); }, rule));
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

void check_header(const std::filesystem::path& table, const CsvSchema& schema) {
  auto input = open_csv_file(table);
  CsvReader reader(input, table.string(), schema.format.separator);
  std::vector<std::string> names;
  check_argument(reader.next(names), table.string(),
                 ": empty, must begin with a line of column names");
  for (auto& name : names) name = std::string(trimmed_field(name));
  const auto problems = header_problems(names, schema, RowsFor::kPrediction);
  if (!problems.empty()) throw InvalidArgument(reader.place() + ": " + problems.front());
}

}  // namespace sotto::data
