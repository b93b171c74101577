#include "mechanisms/declared_value.h"

#include <algorithm>
#include <cmath>

#include "core/calendar_date.h"
#include "core/csv_field.h"
#include "core/printed_number.h"
#include "mechanisms/printable.h"

namespace sotto::mechanisms {

namespace {

using Node = RecordFilter::Node;

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + csv_field(printable(name));
  return text;
}

std::string quoted(std::string_view text) { return "'" + printable(text) + "'"; }

// Of categories that are all numbers; nothing of others.
std::optional<DeclaredRange<double>> range_of(const std::vector<std::string>& names) {
  std::optional<DeclaredRange<double>> range;
  for (const auto& name : names) {
    const auto number = field_number(name);
    if (!number) return std::nullopt;
    if (!range) range = {*number, *number};
    range->low = std::min(range->low, *number);
    range->high = std::max(range->high, *number);
  }
  return range;
}

// An empty field is a missing value, which every column may have.
bool is_known(const CategoryType& type, std::string_view name) {
  return type.other || name.empty() ||
         std::find(type.names.begin(), type.names.end(), name) != type.names.end();
}

Mismatch unknown_category(const CategoryType& type, std::string_view name) {
  return {quoted(name) + " is not a category of this column", "one of " + listed(type.names)};
}

Mismatch not_a(const char* wanted, std::string_view text, const char* example) {
  return {std::string("the column holds ") + wanted + ", and " + quoted(text) + " is not one",
          example};
}

constexpr const char* kNumber = "a number";
constexpr const char* kDate = "a date such as 2024-01-31";

std::string shown(double number) { return significant(number, 15); }

std::string shown(std::chrono::sys_days day) {
  return date_of_days(day.time_since_epoch().count());
}

template <typename Value>
std::optional<Mismatch> outside(const std::optional<DeclaredRange<Value>>& range,
                                const Value& value, const char* kind) {
  if (!range || range->contains(value)) return std::nullopt;
  return Mismatch{shown(value) + " is outside the range declared of this column",
                  std::string(kind) + " from " + shown(range->low) + " to " + shown(range->high)};
}

std::optional<Mismatch> wrong_number(const NumberType& type, std::string_view text) {
  const auto number = field_number(text);
  if (!number) return not_a("numbers", text, kNumber);
  return outside(type.range, *number, kNumber);
}

// Of a value that a field is to equal.
std::optional<Mismatch> wrong_exact_number(const NumberType& type, std::string_view text) {
  if (auto mismatch = wrong_number(type, text)) return mismatch;
  const bool fits = !type.whole || std::trunc(*field_number(text)) == *field_number(text);
  return fits ? std::nullopt : std::optional(not_a("whole numbers", text, "a whole number"));
}

std::optional<Mismatch> wrong_date(const DateType& type, std::string_view text) {
  const auto date = field_date(text);
  if (!date) return not_a("dates", text, kDate);
  return outside(type.range, *date, "a date");
}

// Of an order among categories, which makes sense if they are numbers.
std::optional<Mismatch> wrong_order(const CategoryType& type, std::string_view text) {
  const auto range = range_of(type.names);
  if (!range) {
    return Mismatch{"the column holds categories, which have no order", "the operators = and !="};
  }
  const auto number = field_number(text);
  if (!number) return not_a("categories that are numbers", text, kNumber);
  return type.other ? std::nullopt : outside(range, *number, kNumber);
}

void compare_as_text(Node& node) {
  node.number.reset();
  node.date.reset();
}

struct ReadAs {
  Node& node;

  std::optional<Mismatch> operator()(const NumberType& type) const {
    node.number = field_number(node.text);
    node.date.reset();
    return is_order(node.comparison) ? wrong_number(type, node.text)
                                     : wrong_exact_number(type, node.text);
  }
  std::optional<Mismatch> operator()(const DateType& type) const {
    node.number.reset();
    node.date = field_date(node.text);
    return wrong_date(type, node.text);
  }
  std::optional<Mismatch> operator()(const TextType&) const {
    if (is_order(node.comparison)) return Mismatch{"text has no order", "the operators = and !="};
    compare_as_text(node);
    return std::nullopt;
  }
  std::optional<Mismatch> operator()(const CategoryType& type) const {
    if (is_order(node.comparison)) {
      node.number = field_number(node.text);
      node.date.reset();
      return wrong_order(type, node.text);
    }
    if (!is_known(type, node.text)) return unknown_category(type, node.text);
    compare_as_text(node);
    return std::nullopt;
  }
};

struct PartOf {
  const std::string& value;

  std::optional<Mismatch> operator()(const NumberType& type) const {
    return wrong_exact_number(type, value);
  }
  std::optional<Mismatch> operator()(const DateType& type) const { return wrong_date(type, value); }
  std::optional<Mismatch> operator()(const TextType&) const { return std::nullopt; }
  std::optional<Mismatch> operator()(const CategoryType& type) const {
    if (!is_known(type, value)) return unknown_category(type, value);
    return std::nullopt;
  }
};

}  // namespace

std::string_view contents(const ColumnType& type) {
  if (std::holds_alternative<NumberType>(type)) return "numbers";
  if (std::holds_alternative<DateType>(type)) return "dates";
  return std::holds_alternative<TextType>(type) ? "text" : "categories";
}

bool is_order(Comparison comparison) {
  return comparison != Comparison::kEqual && comparison != Comparison::kUnequal;
}

std::string undeclared_words(const std::vector<ColumnType>& accepted) {
  std::string types;
  for (std::size_t i = 0; i < accepted.size(); ++i) {
    if (i > 0) types += i + 1 < accepted.size() ? ", " : " or ";
    types += contents(accepted[i]);
  }
  return "nothing declares what this column holds; expected a column declared to hold " + types;
}

std::optional<Mismatch> read_as(const ColumnType& type, Node& comparison) {
  return std::visit(ReadAs{comparison}, type);
}

std::optional<Mismatch> mismatch_of_part(const ColumnType& type, const std::string& value) {
  return std::visit(PartOf{value}, type);
}

}  // namespace sotto::mechanisms
