#include "mechanisms/declared_value.h"

#include <algorithm>

#include "core/csv_field.h"
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

bool is_order(Comparison comparison) {
  return comparison != Comparison::kEqual && comparison != Comparison::kUnequal;
}

bool are_numbers(const std::vector<std::string>& names) {
  return std::all_of(names.begin(), names.end(),
                     [](const std::string& name) { return field_number(name).has_value(); });
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

void compare_as_text(Node& node) {
  node.number.reset();
  node.date.reset();
}

struct ReadAs {
  Node& node;

  std::optional<Mismatch> operator()(const NumberType&) const {
    node.number = field_number(node.text);
    node.date.reset();
    if (!node.number) return not_a("numbers", node.text, kNumber);
    return std::nullopt;
  }
  std::optional<Mismatch> operator()(const DateType&) const {
    node.number.reset();
    node.date = field_date(node.text);
    if (!node.date) return not_a("dates", node.text, kDate);
    return std::nullopt;
  }
  std::optional<Mismatch> operator()(const TextType&) const {
    if (is_order(node.comparison)) return Mismatch{"text has no order", "the operators = and !="};
    compare_as_text(node);
    return std::nullopt;
  }
  std::optional<Mismatch> operator()(const CategoryType& type) const {
    if (is_order(node.comparison)) {
      const bool ordered = are_numbers(type.names);
      if (ordered && (node.number = field_number(node.text))) return std::nullopt;
      if (ordered) return not_a("categories that are numbers", node.text, kNumber);
      return Mismatch{"the column holds categories, which have no order", "the operators = and !="};
    }
    if (!is_known(type, node.text)) return unknown_category(type, node.text);
    compare_as_text(node);
    return std::nullopt;
  }
};

struct PartOf {
  const std::string& value;

  std::optional<Mismatch> operator()(const NumberType&) const {
    if (!field_number(value)) return not_a("numbers", value, kNumber);
    return std::nullopt;
  }
  std::optional<Mismatch> operator()(const DateType&) const {
    if (!field_date(value)) return not_a("dates", value, kDate);
    return std::nullopt;
  }
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

std::optional<Mismatch> read_as(const ColumnType& type, Node& comparison) {
  return std::visit(ReadAs{comparison}, type);
}

std::optional<Mismatch> mismatch_of_part(const ColumnType& type, const std::string& value) {
  return std::visit(PartOf{value}, type);
}

}  // namespace sotto::mechanisms
