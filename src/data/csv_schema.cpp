#include "data/csv_schema.h"

#include <algorithm>
#include <cmath>

#include "core/atomic_file.h"
#include "core/calendar_date.h"
#include "core/printed_number.h"
#include "core/shallow_json.h"
#include "data/schema_reading.h"
#include "sotto/core/error.h"

namespace sotto::data {

float NumericColumn::feature(double value) const {
  if (const auto* range = std::get_if<RangeScale>(&scale)) {
    const double share = (value - range->low) / (range->high - range->low);
    return static_cast<float>(2 * std::clamp(share, 0.0, 1.0) - 1);
  }
  const auto& standard = std::get<StandardScale>(scale);
  return static_cast<float>(std::clamp((value - standard.mean) / standard.deviation, -10.0, 10.0));
}

std::string NumericColumn::field(double value, int digits) const {
  if (kind == NumberKind::kNumber) return significant(value, digits);
  if (kind == NumberKind::kInteger) return with_decimals(std::round(value), 0);
  return date_of_days(static_cast<std::int64_t>(std::llround(value)));
}

std::int64_t feature_count(const ColumnRule& rule) {
  const auto* categorical = std::get_if<CategoricalColumn>(&rule);
  const auto values = categorical == nullptr ? 1 : categorical->categories.size();
  const bool indicator =
      std::visit([](const auto& column) -> bool { return column.indicator; }, rule);
  return static_cast<std::int64_t>(values) + (indicator ? 1 : 0);
}

std::int64_t CsvSchema::feature_count() const {
  std::int64_t count = 0;
  for (const auto& [name, rule] : columns) count += data::feature_count(rule);
  return count;
}

std::vector<std::string> CsvSchema::carried() const {
  auto names = ids;
  const bool listed = std::find(ids.begin(), ids.end(), person) != ids.end();
  if (!person.empty() && !listed) names.push_back(person);
  return names;
}

CsvSchema parse_csv_schema(std::string_view json, const std::string& name) {
  auto reading = read_schema(parse_shallow_json(json, name, kSchemaDepth));
  if (!reading.problems.empty()) throw InvalidArgument(reading.problems.front().message(name));
  return std::move(reading.schema);
}

CsvSchema read_csv_schema(const std::filesystem::path& path) {
  return parse_csv_schema(read_file(path), path.string());
}

}  // namespace sotto::data
