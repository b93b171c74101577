#include "cli/query_types.h"

#include <algorithm>
#include <set>

#include "cli/nearest_word.h"
#include "data/csv_schema.h"
#include "data/table_header.h"

namespace sotto::cli {

namespace {

using mechanisms::CategoryType;
using mechanisms::ColumnType;
using mechanisms::DateType;
using mechanisms::NumberType;
using mechanisms::TextType;

bool holds_dates(const data::NumericColumn& column) {
  return column.kind == data::NumberKind::kDate;
}

ColumnType type_of(const data::ColumnRule& rule) {
  if (const auto* categorical = std::get_if<data::CategoricalColumn>(&rule)) {
    return CategoryType{categorical->categories, categorical->other};
  }
  if (holds_dates(std::get<data::NumericColumn>(rule))) return DateType{};
  return NumberType{};
}

const data::RangeScale* range_of(const data::ColumnRule& rule) {
  const auto* numeric = std::get_if<data::NumericColumn>(&rule);
  return numeric == nullptr || holds_dates(*numeric)
             ? nullptr
             : std::get_if<data::RangeScale>(&numeric->scale);
}

bool holds_whole_numbers(const data::ColumnRule& rule) {
  const auto* numeric = std::get_if<data::NumericColumn>(&rule);
  return numeric != nullptr && numeric->kind == data::NumberKind::kInteger;
}

ColumnType type_from_name(const std::string& name, const std::string& text) {
  if (name == "number") return NumberType{};
  if (name == "date") return DateType{};
  if (name == "text") return TextType{};
  throw UsageError("--type '" + text + "': expected COLUMN=number, COLUMN=date or COLUMN=text");
}

}  // namespace

DeclaredColumns::DeclaredColumns(const QueryTexts& texts) {
  if (texts.schema) read_schema(file_flag("--schema", *texts.schema));
  for (const auto& type : texts.types) read_type(type);
}

// What is dropped from training is not declared: queries may ask for it.
void DeclaredColumns::read_schema(const std::string& path) {
  const auto schema = data::read_csv_schema(path);
  schema_flag_ = "--schema '" + path + "'";
  separator_ = schema.format.separator;
  decimal_ = schema.format.decimal;
  says_decimal_ = schema.format.says_decimal;
  person_ = schema.person;
  types_[schema.label] = CategoryType{schema.classes};
  for (const auto& [column, rule] : schema.columns) {
    types_[column] = type_of(rule);
    if (holds_whole_numbers(rule)) whole_.insert(column);
    if (const auto* range = range_of(rule)) {
      bounds_.emplace(column, checked_flag("--schema", path, [&] {
                        return mechanisms::ValueBounds(range->low, range->high);
                      }));
    }
  }
  for (const auto& [column, type] : types_) sources_[column] = schema_flag_;
}

void DeclaredColumns::read_type(const std::string& text) {
  const auto equals = text.rfind('=');
  const auto column = text.substr(0, equals == std::string::npos ? 0 : equals);
  const auto type = type_from_name(column.empty() ? "" : text.substr(equals + 1), text);
  const auto known = types_.find(column);
  if (known != types_.end() && known->second.index() != type.index()) {
    throw UsageError("--type '" + text + "': " + sources_[column] + " says that it holds " +
                     std::string(contents(known->second)));
  }
  types_[column] = type;
  sources_[column] = "--type '" + text + "'";
}

const mechanisms::ValueBounds* DeclaredColumns::bounds(const std::string& column) const {
  const auto found = bounds_.find(column);
  return found == bounds_.end() ? nullptr : &found->second;
}

const std::vector<std::string>* DeclaredColumns::categories(const std::string& column) const {
  const auto found = types_.find(column);
  const auto* type = found == types_.end() ? nullptr : std::get_if<CategoryType>(&found->second);
  return type == nullptr ? nullptr : &type->names;
}

std::string DeclaredColumns::flags() const {
  std::set<std::string> flags;
  for (const auto& [column, source] : sources_) flags.insert(source);
  std::string text;
  for (const auto& flag : flags) text += (text.empty() ? "" : ", ") + flag;
  return text;
}

// What was read as one name may show what separates several.
void DeclaredColumns::check_separator(const std::vector<std::string>& columns) const {
  const auto shown = columns.size() == 1 ? data::separator_of(columns[0]) : std::nullopt;
  if (!separator_ || !shown || *shown == *separator_) return;
  throw UsageError(schema_flag_ + ": says that " + data::separator_name(*separator_) +
                   " separate the columns, but the table's first line shows " +
                   data::separator_name(*shown) +
                   "; accepted: \"separator\" in the schema as in the table");
}

void DeclaredColumns::check_present(const std::vector<std::string>& columns) const {
  check_separator(columns);
  for (const auto& [column, source] : sources_) {
    if (std::find(columns.begin(), columns.end(), column) != columns.end()) continue;
    throw UsageError(source + ": the table has no column '" + column +
                     "'; accepted: what is declared of the columns in its first line" +
                     did_you_mean(column, columns));
  }
}

}  // namespace sotto::cli
