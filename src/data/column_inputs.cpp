#include "data/column_inputs.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/calendar_date.h"
#include "data/quoted_value.h"

namespace sotto::data {
namespace {

using Complaint = std::optional<std::string>;

std::optional<double> finite_field(std::string_view field) {
  const auto digits = field.starts_with('+') ? field.substr(1) : field;
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole_field = error == std::errc() && end == digits.data() + digits.size();
  return whole_field && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

// With a point where `decimal` stands; nothing may be a point otherwise.
std::string with_point(std::string_view field, char decimal) {
  std::string text(field);
  if (decimal == '.') return text;
  std::replace(text.begin(), text.end(), '.', '?');
  std::replace(text.begin(), text.end(), decimal, '.');
  return text;
}

FieldNumber date_in(std::string_view field) {
  const auto days = days_of_date(field);
  if (days) return {static_cast<double>(*days), {}};
  return {0, quoted_value(field) + " is not a date, written as 2024-12-31"};
}

Complaint append_field(std::string_view field, const NumericColumn& column,
                       const TableFormat& format, std::vector<float>& features) {
  const bool missing = is_missing(field, format);
  if (missing && !column.may_be_missing()) {
    return "no value; the schema may give one as \"missing\"";
  }
  FieldNumber number;
  if (!missing) number = number_of(field, column.kind, format);
  if (!number.complaint.empty()) return number.complaint;
  if (missing) {
    features.push_back(column.missing ? column.feature(*column.missing) : 0.0F);
  } else {
    features.push_back(column.feature(number.value));
  }
  if (column.indicator) features.push_back(missing ? 1.0F : 0.0F);
  return std::nullopt;
}

Complaint append_field(std::string_view field, const CategoricalColumn& column,
                       const TableFormat& format, std::vector<float>& features) {
  const bool missing = is_missing(field, format) && column.may_be_missing();
  if (missing) field = column.missing ? *column.missing : std::string_view{};
  const auto& known = column.categories;
  const auto category = std::find(known.begin(), known.end(), field) - known.begin();
  const bool listed = category < static_cast<std::ptrdiff_t>(known.size());
  if (!listed && !column.other && !missing) {
    return quoted_value(field) + " is not a category of the schema; \"other\": true would allow it";
  }
  for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(known.size()); ++i) {
    features.push_back(i == category ? 1.0F : 0.0F);
  }
  if (column.indicator) features.push_back(missing ? 1.0F : 0.0F);
  return std::nullopt;
}

}  // namespace

std::string_view trimmed_field(std::string_view field) {
  const auto first = field.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return field.substr(first, field.find_last_not_of(" \t") - first + 1);
}

bool is_missing(std::string_view field, const TableFormat& format) {
  const auto& values = format.missing_values;
  return field.empty() || std::find(values.begin(), values.end(), field) != values.end();
}

FieldNumber number_of(std::string_view field, NumberKind kind, const TableFormat& format) {
  if (kind == NumberKind::kDate) return date_in(field);
  const auto number = finite_field(with_point(field, format.decimal));
  if (!number) {
    const bool comma = format.decimal == '.' && finite_field(with_point(field, ','));
    return {0, quoted_value(field) + " is not a finite number" +
                   (comma ? R"(; "decimal": "," in the schema would allow it)" : "")};
  }
  if (kind == NumberKind::kInteger && *number != std::floor(*number)) {
    return {0, quoted_value(field) + " is not a whole number"};
  }
  return {*number, {}};
}

std::optional<std::string> append_inputs(std::string_view field, const ColumnRule& rule,
                                         const TableFormat& format, std::vector<float>& features) {
  const auto trimmed = trimmed_field(field);
  return std::visit(
      [&](const auto& column) { return append_field(trimmed, column, format, features); }, rule);
}

bool is_clamped(std::string_view field, const ColumnRule& rule, const TableFormat& format) {
  const auto trimmed = trimmed_field(field);
  const auto* column = std::get_if<NumericColumn>(&rule);
  const auto* range = column == nullptr ? nullptr : std::get_if<RangeScale>(&column->scale);
  if (range == nullptr || is_missing(trimmed, format)) return false;
  const auto number = number_of(trimmed, column->kind, format);
  return number.complaint.empty() && (number.value < range->low || number.value > range->high);
}

}  // namespace sotto::data
