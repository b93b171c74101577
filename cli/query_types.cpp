#include "cli/query_types.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
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

std::chrono::sys_days day_of(double days_since_1970) {
  return std::chrono::sys_days(std::chrono::days(std::llround(days_since_1970)));
}

ColumnType type_of(const data::ColumnRule& rule) {
  if (const auto* categorical = std::get_if<data::CategoricalColumn>(&rule)) {
    return CategoryType{categorical->categories, categorical->other};
  }
  const auto& numeric = std::get<data::NumericColumn>(rule);
  const auto* range = std::get_if<data::RangeScale>(&numeric.scale);
  if (holds_dates(numeric)) {
    return range == nullptr ? DateType{} : DateType{{{day_of(range->low), day_of(range->high)}}};
  }
  NumberType numbers{.whole = numeric.kind == data::NumberKind::kInteger};
  if (range != nullptr) numbers.range = {range->low, range->high};
  return numbers;
}

const data::RangeScale* range_of(const data::ColumnRule& rule) {
  const auto* numeric = std::get_if<data::NumericColumn>(&rule);
  return numeric == nullptr || holds_dates(*numeric)
             ? nullptr
             : std::get_if<data::RangeScale>(&numeric->scale);
}

std::string_view name_of(const ColumnType& type) {
  if (std::holds_alternative<NumberType>(type)) return "number";
  return std::holds_alternative<DateType>(type) ? "date" : "text";
}

ColumnType type_from_name(const std::string& name, const std::string& text) {
  for (const ColumnType& type :
       {ColumnType(NumberType{}), ColumnType(DateType{}), ColumnType(TextType{})}) {
    if (name == name_of(type)) return type;
  }
  throw UsageError("--type '" + text + "': expected COLUMN=number, COLUMN=date or COLUMN=text");
}

bool is_plain(const std::string& word) {
  return std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-.=").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

std::string in_single_quotes(const std::string& text) {
  std::string quoted;
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return '\'' + quoted + '\'';
}

}  // namespace

std::string type_flag(const std::string& column, const ColumnType& type) {
  constexpr std::size_t kLongest = 60;  // bytes; a message is one line
  const std::string word =
      (column.size() > kLongest ? "COLUMN" : column) + '=' + std::string(name_of(type));
  return "--type " + (is_plain(word) ? word : in_single_quotes(word));
}

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
  const auto [known, added] = types_.emplace(column, type);
  if (known->second.index() != type.index()) {
    throw UsageError("--type '" + text + "': " + sources_[column] + " says that it holds " +
                     std::string(contents(known->second)));
  }
  if (added) sources_[column] = "--type '" + text + "'";
}

const mechanisms::ValueBounds* DeclaredColumns::bounds(const std::string& column) const {
  const auto found = bounds_.find(column);
  return found == bounds_.end() ? nullptr : &found->second;
}

bool DeclaredColumns::is_whole(const std::string& column) const {
  const auto found = types_.find(column);
  const auto* numbers = found == types_.end() ? nullptr : std::get_if<NumberType>(&found->second);
  return numbers != nullptr && numbers->whole;
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
