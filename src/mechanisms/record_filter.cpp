#include "sotto/mechanisms/record_filter.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "mechanisms/condition_parser.h"
#include "mechanisms/printable.h"
#include "sotto/core/error.h"

namespace sotto::mechanisms {

namespace {

using Node = RecordFilter::Node;

template <typename Value>
bool compare(Comparison comparison, const Value& left, const Value& right) {
  switch (comparison) {
    case Comparison::kEqual:
      return left == right;
    case Comparison::kUnequal:
      return left != right;
    case Comparison::kLess:
      return left < right;
    case Comparison::kAtMost:
      return left <= right;
    case Comparison::kGreater:
      return left > right;
    case Comparison::kAtLeast:
      return left >= right;
  }
  return false;
}

// Kleene's logic: nothing where it takes a number that the record does not have.
using Truth = std::optional<bool>;

Truth compared(const Node& node, const std::string& field, char decimal) {
  if (node.date) {
    const auto date = field_date(field);
    if (!date) return std::nullopt;
    return compare(node.comparison, *date, *node.date);
  }
  if (!node.number) return compare(node.comparison, trimmed(field), std::string_view(node.text));
  const auto number = field_number(field, decimal);
  if (!number) return std::nullopt;
  return compare(node.comparison, *number, *node.number);
}

// `decisive` on one side is the answer, whatever the other side is; then "nothing" on either.
Truth joined(Truth left, Truth right, bool decisive) {
  if (left == decisive || right == decisive) return decisive;
  return left && right ? Truth(!decisive) : std::nullopt;
}

Truth holds(const Node& node, std::span<const std::string> fields, char decimal) {
  const auto of = [&](const auto& part) { return holds(*part, fields, decimal); };
  switch (node.kind) {
    case Node::Kind::kAnd:
      return joined(of(node.left), of(node.right), false);
    case Node::Kind::kOr:
      return joined(of(node.left), of(node.right), true);
    case Node::Kind::kNot:
      if (const auto truth = of(node.left)) return !*truth;
      return std::nullopt;
    case Node::Kind::kComparison:
      break;
  }
  return compared(node, fields[node.column], decimal);
}

bool reads_numbers_in(const Node& node) {
  if (node.kind == Node::Kind::kComparison) return node.number && !node.date;
  return reads_numbers_in(*node.left) || (node.right && reads_numbers_in(*node.right));
}

// With a point for the decimal sign, and no other point.
std::string with_point(std::string_view digits, char decimal) {
  std::string text(digits);
  std::replace(text.begin(), text.end(), '.', '?');
  std::replace(text.begin(), text.end(), decimal, '.');
  return text;
}

}  // namespace

NoSuchColumn::NoSuchColumn(std::string name, const std::string& message)
    : InvalidArgument(message), name_(std::move(name)) {}

UndeclaredColumn::UndeclaredColumn(std::string name, std::vector<ColumnType> accepted,
                                   const std::string& message)
    : InvalidArgument(message), name_(std::move(name)), accepted_(std::move(accepted)) {}

std::string_view trimmed(std::string_view field) {
  const auto first = field.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return field.substr(first, field.find_last_not_of(" \t") - first + 1);
}

std::optional<double> field_number(std::string_view field, char decimal) {
  if (decimal != '.') return field_number(with_point(field, decimal));
  auto digits = trimmed(field);
  if (digits.starts_with('+')) digits.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  if (!whole || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::optional<std::chrono::sys_days> field_date(std::string_view field) {
  const auto text = trimmed(field);
  const auto part = [&](std::size_t begin, std::size_t size) {
    int value = -1;
    const auto digits = text.substr(begin, size);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + size ? value : -1;
  };
  const bool shaped = text.size() >= 10 && text[4] == '-' && text[7] == '-' &&
                      (text.size() == 10 || text[10] == 'T' || text[10] == ' ');
  if (!shaped || part(0, 4) < 0 || part(5, 2) < 0 || part(8, 2) < 0) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(part(0, 4)),
                                         std::chrono::month(static_cast<unsigned>(part(5, 2))),
                                         std::chrono::day(static_cast<unsigned>(part(8, 2)))};
  return date.ok() ? std::optional(std::chrono::sys_days(date)) : std::nullopt;
}

std::size_t column_index(std::string_view name, std::span<const std::string> columns) {
  const auto count = std::count(columns.begin(), columns.end(), name);
  if (count == 1) {
    return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) -
                                    columns.begin());
  }
  std::string names;
  for (const auto& column : columns) names += (names.empty() ? "" : ", ") + printable(column);
  throw NoSuchColumn(std::string(name),
                     "column '" + printable(name) + "': " +
                         (count == 0 ? "the table has no such column"
                                     : "the table has " + std::to_string(count) + " of this name") +
                         "; accepted: " + names);
}

RecordFilter::RecordFilter(std::string_view text, std::span<const std::string> columns,
                           const ColumnTypes& types, char decimal)
    : root_(parse_condition(text, columns, types)), decimal_(decimal) {}

bool RecordFilter::reads_numbers() const { return root_ != nullptr && reads_numbers_in(*root_); }

bool RecordFilter::matches(std::span<const std::string> fields) const {
  return root_ == nullptr || holds(*root_, fields, decimal_).value_or(false);
}

}  // namespace sotto::mechanisms
