// From the field of a table to the inputs of a model, by what the schema says of its column.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/csv_schema.h"

namespace sotto::data {

// Without blanks around it.
std::string_view trimmed_field(std::string_view field);

// Whether the field, trimmed, stands for no value.
bool is_missing(std::string_view field, const TableFormat& format);

struct FieldNumber {
  double value = 0;
  std::string complaint;  // empty if the field is a number of this kind
};

// What a field, trimmed and not missing, says: a number, a whole number, or the days of a date.
FieldNumber number_of(std::string_view field, NumberKind kind, const TableFormat& format);

// Appends feature_count(rule) features for a field. Returns what is wrong with the field, if the
// schema does not allow it; nothing useful is appended then.
std::optional<std::string> append_inputs(std::string_view field, const ColumnRule& rule,
                                         const TableFormat& format, std::vector<float>& features);

// Whether a field that the schema allows lies outside the range that it declares, so that the end
// of the range stands for it.
bool is_clamped(std::string_view field, const ColumnRule& rule, const TableFormat& format);

}  // namespace sotto::data
