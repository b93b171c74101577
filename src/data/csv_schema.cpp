#include "data/csv_schema.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <set>

#include "core/atomic_file.h"
#include "core/shallow_json.h"
#include "data/quoted_value.h"
#include "sotto/core/error.h"

namespace sotto::data {

namespace {

void check_keys(const Json& object, std::initializer_list<std::string_view> known,
                const std::string& place) {
  for (const auto& item : object.items()) {
    std::string names;
    for (const auto name : known) names += (names.empty() ? "" : ", ") + std::string(name);
    check_argument(std::find(known.begin(), known.end(), item.key()) != known.end(), place,
                   ": unknown entry ", quoted_value(item.key()), ", must be one of ", names);
  }
}

double number(const Json& object, const char* key, const std::string& place) {
  const bool there = object.contains(key) && object[key].is_number();
  const double value = there ? object[key].get<double>() : std::nan("");
  check_argument(std::isfinite(value), place, ": '", key, "' must be given as a finite number");
  return value;
}

std::string text(const Json& object, const char* key, const std::string& place) {
  check_argument(object.contains(key) && object[key].is_string(), place, ": '", key,
                 "' must be given as a string");
  return object[key].get<std::string>();
}

std::vector<std::string> texts(const Json& object, const char* key, std::size_t least,
                               const std::string& place) {
  std::vector<std::string> values;
  const bool there = object.contains(key) && object[key].is_array();
  for (std::size_t i = 0; there && i < object[key].size(); ++i) {
    const auto& item = object[key][i];
    check_argument(item.is_string(), place, ": '", key, "' holds ", quoted_value(item.dump()),
                   ", which is not a string");
    values.push_back(item.get<std::string>());
  }
  check_argument(there && values.size() >= least, place, ": '", key,
                 "' must be a list of at least ", least, " strings");
  const std::set<std::string> distinct(values.begin(), values.end());
  check_argument(distinct.size() == values.size(), place, ": '", key, "' names a value twice");
  return values;
}

NumericColumn parse_numeric(const Json& entry, const std::string& place) {
  NumericColumn column;
  if (entry.contains("low") || entry.contains("high")) {
    check_keys(entry, {"low", "high", "missing"}, place);
    const RangeScale range{number(entry, "low", place), number(entry, "high", place)};
    check_argument(range.low < range.high && std::isfinite(range.high - range.low), place, ": low ",
                   range.low, " must be below high ", range.high);
    column.scale = range;
  } else {
    check_keys(entry, {"mean", "std", "missing"}, place);
    const StandardScale standard{number(entry, "mean", place), number(entry, "std", place)};
    check_argument(standard.deviation > 0, place, ": std ", standard.deviation,
                   " must be positive");
    column.scale = standard;
  }
  if (entry.contains("missing")) column.missing = number(entry, "missing", place);
  return column;
}

CategoricalColumn parse_categorical(const Json& entry, const std::string& place) {
  check_keys(entry, {"categories", "other", "missing"}, place);
  CategoricalColumn column{texts(entry, "categories", 1, place), false, {}};
  if (entry.contains("other")) {
    check_argument(entry["other"].is_boolean(), place, ": 'other' must be true or false");
    column.other = entry["other"].get<bool>();
  }
  if (entry.contains("missing")) {
    column.missing = text(entry, "missing", place);
    check_argument(
        std::count(column.categories.begin(), column.categories.end(), *column.missing) == 1, place,
        ": 'missing' is ", quoted_value(*column.missing), ", must be one of the categories");
  }
  return column;
}

ColumnRule parse_column(const Json& entry, const std::string& place) {
  check_argument(entry.is_object(), place, ": ", quoted_value(entry.dump()), " must be an object");
  if (entry.contains("categories")) return parse_categorical(entry, place);
  check_argument(entry.contains("low") || entry.contains("high") || entry.contains("mean") ||
                     entry.contains("std"),
                 place, ": must give low and high, mean and std, or categories");
  return parse_numeric(entry, place);
}

// A column has one role.
void check_roles(const CsvSchema& schema, const std::string& name) {
  std::set<std::string> seen{schema.label};
  auto check_new = [&](const std::string& column) {
    check_argument(seen.insert(column).second, name, ": column ", quoted_value(column),
                   " has two roles among label, columns and drop");
  };
  for (const auto& [column, rule] : schema.columns) check_new(column);
  for (const auto& column : schema.dropped) check_new(column);
}

}  // namespace

float NumericColumn::feature(double value) const {
  if (const auto* range = std::get_if<RangeScale>(&scale)) {
    const double share = (value - range->low) / (range->high - range->low);
    return static_cast<float>(2 * std::clamp(share, 0.0, 1.0) - 1);
  }
  const auto& standard = std::get<StandardScale>(scale);
  return static_cast<float>(std::clamp((value - standard.mean) / standard.deviation, -10.0, 10.0));
}

std::int64_t CsvSchema::feature_count() const {
  std::size_t count = 0;
  for (const auto& [name, rule] : columns) {
    const auto* categorical = std::get_if<CategoricalColumn>(&rule);
    count += categorical == nullptr ? 1 : categorical->categories.size();
  }
  return static_cast<std::int64_t>(count);
}

CsvSchema parse_csv_schema(std::string_view json, const std::string& name) {
  const Json root = parse_shallow_json(json, name, 4);
  check_argument(root.is_object(), name, ": a schema must be a JSON object");
  check_keys(root, {"label", "classes", "columns", "drop"}, name);
  CsvSchema schema;
  schema.label = text(root, "label", name);
  schema.classes = texts(root, "classes", 2, name);
  check_argument(
      root.contains("columns") && root["columns"].is_object() && !root["columns"].empty(), name,
      ": 'columns' must be an object with at least one column");
  for (const auto& item : root["columns"].items()) {
    const std::string place = name + ", column " + quoted_value(item.key());
    schema.columns.emplace_back(item.key(), parse_column(item.value(), place));
  }
  if (root.contains("drop")) schema.dropped = texts(root, "drop", 0, name);
  check_roles(schema, name);
  return schema;
}

CsvSchema read_csv_schema(const std::filesystem::path& path) {
  return parse_csv_schema(read_file(path), path.string());
}

}  // namespace sotto::data
