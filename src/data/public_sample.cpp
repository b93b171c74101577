#include "data/public_sample.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "core/calendar_date.h"
#include "core/csv_field.h"
#include "data/column_inputs.h"
#include "data/csv.h"
#include "data/csv_records.h"
#include "data/quoted_value.h"
#include "sotto/core/error.h"

namespace sotto::data {
namespace {

struct SampleColumn {
  std::set<std::string> values;
  bool missing = false;
};

NumberKind kind_of(ColumnRole role) {
  if (role == ColumnRole::kDate) return NumberKind::kDate;
  return role == ColumnRole::kInteger ? NumberKind::kInteger : NumberKind::kNumber;
}

struct SampleRange {
  double low;
  double high;
};

// Nothing unless all values are of the kind.
std::optional<SampleRange> range_of(const SampleColumn& column, NumberKind kind,
                                    const TableFormat& format) {
  std::optional<SampleRange> range;
  for (const auto& value : column.values) {
    const auto number = number_of(value, kind, format);
    if (!number.complaint.empty()) return std::nullopt;
    if (!range) range = {number.value, number.value};
    range = {std::min(range->low, number.value), std::max(range->high, number.value)};
  }
  return range;
}

std::string bound_text(double value, NumberKind kind) {
  return kind == NumberKind::kDate ? date_of_days(static_cast<std::int64_t>(value))
                                   : exact_number(value);
}

void set_range(ColumnDraft& draft, const SampleColumn& column, const TableFormat& format) {
  const auto kind = kind_of(draft.role);
  const auto range = range_of(column, kind, format);
  if (!range || range->low == range->high) return;
  draft.low = bound_text(range->low, kind);
  draft.high = bound_text(range->high, kind);
}

ColumnRole guessed_role(const SampleColumn& column, const TableFormat& format) {
  if (column.values.size() < 2) return ColumnRole::kUndeclared;
  for (const auto role : {ColumnRole::kInteger, ColumnRole::kNumber, ColumnRole::kDate}) {
    if (range_of(column, kind_of(role), format)) return role;
  }
  return column.values.size() <= kMostCategories ? ColumnRole::kCategory : ColumnRole::kUndeclared;
}

void complete(ColumnDraft& draft, const SampleColumn& column, const TableFormat& format) {
  if (draft.role == ColumnRole::kUndeclared) draft.role = guessed_role(column, format);
  if (draft.has_range()) {
    set_range(draft, column, format);
  } else if (draft.has_values()) {
    draft.values.assign(column.values.begin(), column.values.end());
  }
  draft.from_sample = draft.is_complete();
  draft.missing =
      draft.missing || (draft.from_sample && column.missing && draft.role != ColumnRole::kLabel);
}

}  // namespace

void complete_from_sample(std::istream& sample, const std::string& name, SchemaDraft& draft) {
  CsvReader reader(sample, name, draft.format.separator);
  std::vector<std::string> header;
  check_argument(reader.next(header), name, ": empty, must begin with a line of column names");
  for (auto& column : header) column = trimmed_field(column);
  std::vector<SampleColumn> columns(header.size());
  std::vector<std::string> fields;
  while (reader.next(fields)) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const auto field = trimmed_field(fields[i]);
      if (is_missing(field, draft.format)) {
        columns[i].missing = true;
      } else {
        columns[i].values.emplace(field);
      }
    }
  }
  for (auto& column : draft.columns) {
    if (column.is_complete()) continue;
    const auto found = std::find(header.begin(), header.end(), column.name);
    check_argument(found != header.end(), name, ": no column is called ", quoted_value(column.name),
                   ", which is still to declare");
    complete(column, columns[static_cast<std::size_t>(found - header.begin())], draft.format);
  }
}

void complete_from_sample_file(const std::filesystem::path& sample, SchemaDraft& draft) {
  auto input = open_csv_file(sample);
  complete_from_sample(input, sample.string(), draft);
  std::string names;
  for (const auto& column : draft.columns) {
    if (column.from_sample) names += (names.empty() ? "" : ", ") + column.name;
  }
  if (names.empty()) return;
  draft.note = "Taken from the public rows of " + sample.filename().string() + ": " + names + ".";
}

}  // namespace sotto::data
