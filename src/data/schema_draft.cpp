#include "data/schema_draft.h"

#include <algorithm>
#include <cmath>

#include "core/finite_number.h"
#include "core/shallow_json.h"
#include "data/schema_reading.h"

namespace sotto::data {
namespace {

// On one line, with a blank behind colons and commas.
std::string one_line_json(const Json& json) {
  if (!json.is_structured()) return json.dump();
  std::string text;
  for (const auto& item : json.items()) {
    text += text.empty() ? "" : ", ";
    if (json.is_object()) text += Json(item.key()).dump() + ": ";
    text += one_line_json(item.value());
  }
  return json.is_object() ? "{" + text + "}" : "[" + text + "]";
}

// As it was written, if it is a number: 120 rather than 120.0.
Json bound_of(const std::string& text, ColumnRole role) {
  const auto number = finite_number(text);
  if (role == ColumnRole::kDate || !number) return text;
  constexpr double kExact = 9007199254740992;  // 2^53
  if (*number == std::floor(*number) && std::abs(*number) < kExact) {
    return static_cast<std::int64_t>(*number);
  }
  return *number;
}

Json entry_of(const ColumnDraft& column) {
  if (!column.is_complete()) return {{"type", kToDeclare}};
  Json entry{{"type", role_names()[static_cast<std::size_t>(column.role) - 1]}};
  if (column.has_range()) {
    entry["low"] = bound_of(column.low, column.role);
    entry["high"] = bound_of(column.high, column.role);
  } else {
    entry["categories"] = column.values;
  }
  if (column.other) entry["other"] = true;
  if (column.missing) entry["missing"] = true;
  return entry;
}

bool is_input(const ColumnDraft& column) {
  return column.role == ColumnRole::kUndeclared || column.has_range() ||
         column.role == ColumnRole::kCategory;
}

std::vector<std::string> names_with(ColumnRole role, const std::vector<ColumnDraft>& columns) {
  std::vector<std::string> names;
  for (const auto& column : columns) {
    if (column.role == role) names.push_back(column.name);
  }
  return names;
}

const ColumnDraft* label_of(const std::vector<ColumnDraft>& columns) {
  const auto found = std::find_if(columns.begin(), columns.end(), [](const auto& column) {
    return column.role == ColumnRole::kLabel;
  });
  return found == columns.end() ? nullptr : &*found;
}

}  // namespace

bool ColumnDraft::has_range() const {
  return role == ColumnRole::kNumber || role == ColumnRole::kInteger || role == ColumnRole::kDate;
}

bool ColumnDraft::has_values() const {
  return role == ColumnRole::kCategory || role == ColumnRole::kLabel;
}

bool ColumnDraft::is_complete() const {
  if (has_range()) return !low.empty() && !high.empty();
  if (has_values()) return !values.empty();
  return role != ColumnRole::kUndeclared;
}

const std::vector<std::string>& role_names() {
  static const std::vector<std::string> names{"number", "integer", "category", "date",
                                              "id",     "person",  "label",    "ignored"};
  return names;
}

ColumnRole role_from_name(std::string_view text) {
  const auto& names = role_names();
  auto found = names.end();
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (*name == text) return static_cast<ColumnRole>(name - names.begin() + 1);
    if (text.empty() || !name->starts_with(text)) continue;
    if (found != names.end()) return ColumnRole::kUndeclared;  // two begin like that
    found = name;
  }
  return found == names.end() ? ColumnRole::kUndeclared
                              : static_cast<ColumnRole>(found - names.begin() + 1);
}

std::vector<std::string> SchemaDraft::to_declare() const {
  std::vector<std::string> names;
  for (const auto& column : columns) {
    if (!column.is_complete()) names.push_back(column.name);
  }
  if (label_of(columns) == nullptr) names.emplace_back("(label)");
  return names;
}

std::string SchemaDraft::json() const {
  Json root = Json::object();
  if (!note.empty()) root["note"] = note;
  if (format.separator != ',') root["separator"] = std::string(1, format.separator);
  if (format.says_decimal || format.decimal != '.')
    root["decimal"] = std::string(1, format.decimal);
  if (!format.missing_values.empty()) root["missing_values"] = format.missing_values;
  const auto* label = label_of(columns);
  root["label"] = label == nullptr ? kToDeclare : label->name;
  root["classes"] = label == nullptr ? std::vector<std::string>{} : label->values;
  const auto ids = names_with(ColumnRole::kId, columns);
  if (!ids.empty()) root["ids"] = ids;
  for (const auto& name : names_with(ColumnRole::kPerson, columns)) root["person"] = name;
  const auto ignored = names_with(ColumnRole::kIgnored, columns);
  if (!ignored.empty()) root["drop"] = ignored;
  std::string text = "{\n";
  for (const auto& item : root.items()) {
    text += "  " + Json(item.key()).dump() + ": " + one_line_json(item.value()) + ",\n";
  }
  std::string entries;
  for (const auto& column : columns) {
    if (!is_input(column)) continue;
    entries += (entries.empty() ? "\n    " : ",\n    ") + Json(column.name).dump() + ": " +
               one_line_json(entry_of(column));
  }
  return text + "  \"columns\": {" + entries + "\n  }\n}\n";
}

std::string SchemaDraft::mistake() const {
  const auto persons = names_with(ColumnRole::kPerson, columns);
  if (persons.size() > 1) return "two columns for the person: " + persons[0] + ", " + persons[1];
  const auto labels = names_with(ColumnRole::kLabel, columns);
  if (labels.size() > 1) return "two labels: " + labels[0] + ", " + labels[1];
  const auto reading = read_schema(parse_shallow_json(json(), "schema", kSchemaDepth));
  for (const auto& problem : reading.problems) {
    const auto words = problem.message("");
    if (!problem.to_declare) return words.substr(2);  // without ", " or ": "
  }
  return {};
}

}  // namespace sotto::data
