#include "gan/table_columns.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "core/printed_number.h"
#include "data/csv_schema.h"

namespace sotto::gan {
namespace {

constexpr double kStandardLimit = 10;  // of StandardScale

// Units of the column: all that is written lies between them.
struct NumberRange {
  double low;
  double high;
  double scale;  // what counts as much
};

NumberRange range_of(const data::NumericColumn& column) {
  if (const auto* range = std::get_if<data::RangeScale>(&column.scale)) {
    return {range->low, range->high, range->high - range->low};
  }
  const auto& standard = std::get<data::StandardScale>(column.scale);
  return {standard.mean - kStandardLimit * standard.deviation,
          standard.mean + kStandardLimit * standard.deviation, standard.deviation};
}

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// Whole numbers and days, within the range if it holds any.
double rounded(double value, const data::NumericColumn& column) {
  if (column.kind == data::NumberKind::kNumber) return value;
  const NumberRange range = range_of(column);
  const double low = std::ceil(range.low);
  const double high = std::floor(range.high);
  return low <= high ? std::clamp(std::round(value), low, high) : std::round(value);
}

double number_in(const data::NumericColumn& column, double feature) {
  if (const auto* range = std::get_if<data::RangeScale>(&column.scale)) {
    return std::clamp(range->low + (feature + 1) / 2 * (range->high - range->low), range->low,
                      range->high);
  }
  const auto& standard = std::get<data::StandardScale>(column.scale);
  return standard.mean + feature * standard.deviation;
}

double decoded(const data::NumericColumn& column, const float* features) {
  if (column.indicator && features[1] > 0.5F) return kMissing;
  return rounded(number_in(column, features[0]), column);
}

double decoded(const data::CategoricalColumn& column, const float* features) {
  const auto count = column.categories.size();
  if (column.indicator && features[count] > 0.5F) return kMissing;
  const auto* chosen = std::find_if(features, features + count, [](float f) { return f > 0.5F; });
  if (chosen == features + count && !column.other) return kMissing;
  return static_cast<double>(chosen - features);
}

// Whether a field is empty: one category, or none.
constexpr ColumnSpan kIndicator{0, 1, true, true, 1};

std::vector<ColumnSpan> parts_of(const data::NumericColumn& column) {
  const bool range = std::holds_alternative<data::RangeScale>(column.scale);
  std::vector<ColumnSpan> parts{{0, 1, false, false, range ? 1.0 : kStandardLimit}};
  if (column.indicator) parts.push_back(kIndicator);
  return parts;
}

std::vector<ColumnSpan> parts_of(const data::CategoricalColumn& column) {
  const auto count = static_cast<std::int64_t>(column.categories.size());
  // An empty field is in no category.
  std::vector<ColumnSpan> parts{{0, count, true, column.other || column.indicator, 1}};
  if (column.indicator) parts.push_back(kIndicator);
  return parts;
}

std::vector<std::string> categories_of(const data::NumericColumn&) { return {}; }

std::vector<std::string> categories_of(const data::CategoricalColumn& column) {
  auto names = column.categories;
  if (!column.other) return names;
  std::string other = "other";
  while (std::find(names.begin(), names.end(), other) != names.end()) other += '_';
  names.push_back(other);
  return names;
}

bool is_date(const data::NumericColumn& column) { return column.kind == data::NumberKind::kDate; }
bool is_date(const data::CategoricalColumn&) { return false; }

std::string without_zeros(std::string text) {
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

// A ten-thousandth of the declared scale: more digits would only look precise.
std::function<std::string(double)> text_of(const data::NumericColumn& column) {
  if (column.kind != data::NumberKind::kNumber) {
    return [column](double value) { return column.field(value, 15); };
  }
  const NumberRange range = range_of(column);
  const int decimals = std::max(0, 4 - static_cast<int>(std::floor(std::log10(range.scale))));
  return [range, decimals](double value) {
    if (decimals > 15) return significant(value, 9);
    const std::string text = without_zeros(with_decimals(value, decimals));
    const double printed = std::strtod(text.c_str(), nullptr);
    const bool inside = printed >= range.low && printed <= range.high;
    return inside ? text : significant(printed < range.low ? range.low : range.high, 15);
  };
}

std::function<std::string(double)> text_of(const data::CategoricalColumn& column) {
  return [names = categories_of(column)](double value) {
    return names[static_cast<std::size_t>(value)];
  };
}

DecodedColumn decoded_labels(const at::Tensor& labels, const data::CsvSchema& schema) {
  DecodedColumn column{schema.label, schema.classes, {}, [names = schema.classes](double value) {
                         return names[static_cast<std::size_t>(value)];
                       }};
  const at::Tensor kinds = labels.contiguous();
  const auto* values = kinds.data_ptr<std::int64_t>();
  column.values.assign(values, values + kinds.size(0));
  return column;
}

}  // namespace

std::vector<ColumnSpan> columns_of(const std::string& schema) {
  std::vector<ColumnSpan> spans;
  std::int64_t begin = 0;
  for (const auto& [column, rule] : data::parse_csv_schema(schema, "schema").columns) {
    for (auto part : std::visit([](const auto& kind) { return parts_of(kind); }, rule)) {
      part.begin = begin;
      begin += part.size;
      spans.push_back(part);
    }
  }
  return spans;
}

std::vector<DecodedColumn> decoded_table(const at::Tensor& rows, const at::Tensor& labels,
                                         const std::string& schema) {
  const auto parsed = data::parse_csv_schema(schema, "the generator's schema");
  const at::Tensor features = rows.to(at::kFloat).contiguous();
  std::vector<DecodedColumn> columns;
  std::int64_t begin = 0;
  for (const auto& [name, rule] : parsed.columns) {
    std::visit(
        [&, &column_name = name](const auto& kind) {
          DecodedColumn column{column_name, categories_of(kind), {}, text_of(kind), is_date(kind)};
          for (std::int64_t i = 0; i < features.size(0); ++i) {
            const auto* row = features.data_ptr<float>() + i * features.size(1);
            column.values.push_back(decoded(kind, row + begin));
          }
          columns.push_back(std::move(column));
          for (const auto& part : parts_of(kind)) begin += part.size;
        },
        rule);
  }
  columns.push_back(decoded_labels(labels, parsed));
  return columns;
}

}  // namespace sotto::gan
