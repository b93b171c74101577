#include "data/schema_reading.h"

#include <algorithm>
#include <set>
#include <utility>

#include "data/quoted_value.h"
#include "data/schema_column.h"
#include "data/schema_entry.h"

namespace sotto::data {
namespace {

void read_format(const SchemaEntry& root, TableFormat& format) {
  format.separator = root.sign("separator", ",;\t", ',', R"(",", ";" or "\t")");
  format.decimal = root.sign("decimal", ".,", '.', R"("." or ",")");
  format.says_decimal = root.has("decimal");
  if (root.has("missing_values")) format.missing_values = root.texts("missing_values", 0);
}

void read_label(const SchemaEntry& root, CsvSchema& schema) {
  const bool open = root.json().value("label", Json()) == kToDeclare;
  if (open) {
    root.still_to_declare("label", "'label' is still to declare, with its 'classes'");
    return;
  }
  schema.label = root.text("label");
  schema.classes = root.texts("classes", 2);
}

void read_columns(const SchemaEntry& root, SchemaReading& reading) {
  const auto& json = root.json();
  if (!json.contains("columns") || !json["columns"].is_object() || json["columns"].empty()) {
    root.complain("columns", "'columns' must be an object with at least one column");
    return;
  }
  for (const auto& item : json["columns"].items()) {
    const auto before = reading.problems.size();
    auto rule = read_column(root.column(item.key(), item.value()));
    if (reading.problems.size() == before && rule) {
      reading.schema.columns.emplace_back(item.key(), std::move(*rule));
    } else {
      reading.unread.push_back(item.key());
    }
  }
}

// A column has one role; the person's may be listed among the ids as well.
void check_roles(const SchemaEntry& root, const SchemaReading& reading) {
  const auto& schema = reading.schema;
  std::set<std::string> seen;
  const auto check_new = [&](const char* key, const std::string& column) {
    if (!column.empty() && !seen.insert(column).second) {
      root.complain(key, "column ", quoted_value(column),
                    " has two roles among label, columns, ids, person and drop");
    }
  };
  check_new("label", schema.label);
  if (root.has("columns") && root.json()["columns"].is_object()) {
    for (const auto& item : root.json()["columns"].items()) check_new("columns", item.key());
  }
  for (const auto& column : schema.ids) check_new("ids", column);
  for (const auto& column : schema.dropped) check_new("drop", column);
  const bool is_id =
      std::find(schema.ids.begin(), schema.ids.end(), schema.person) != schema.ids.end();
  if (!is_id) check_new("person", schema.person);
}

// A value cannot be there and missing.
void check_missing_values(const SchemaEntry& root, const CsvSchema& schema) {
  for (const auto& value : schema.format.missing_values) {
    auto found = [&](const std::vector<std::string>& values) {
      return std::find(values.begin(), values.end(), value) != values.end();
    };
    bool named = found(schema.classes);
    for (const auto& [name, rule] : schema.columns) {
      const auto* categorical = std::get_if<CategoricalColumn>(&rule);
      named = named || (categorical != nullptr && found(categorical->categories));
    }
    if (named) {
      root.complain("missing_values", "'missing_values' holds ", quoted_value(value),
                    ", which is a category or a class as well");
    }
  }
}

}  // namespace

std::string SchemaProblem::message(const std::string& name) const {
  return name + (column.empty() ? "" : ", column " + quoted_value(column)) + ": " + text;
}

SchemaReading read_schema(const Json& json) {
  SchemaReading reading;
  const SchemaEntry root(json, reading.problems);
  if (!json.is_object()) {
    root.complain("", "a schema must be a JSON object");
    return reading;
  }
  root.check_keys({"label", "classes", "columns", "drop", "ids", "person", "separator", "decimal",
                   "missing_values", "note"});
  read_label(root, reading.schema);
  read_columns(root, reading);
  if (root.has("drop")) reading.schema.dropped = root.texts("drop", 0);
  if (root.has("ids")) reading.schema.ids = root.texts("ids", 0);
  if (root.has("person")) reading.schema.person = root.text("person");
  if (root.has("note")) root.text("note");
  read_format(root, reading.schema.format);
  check_roles(root, reading);
  check_missing_values(root, reading.schema);
  return reading;
}

}  // namespace sotto::data
