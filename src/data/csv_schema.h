// What everyone may know about a table: its classes, its columns, their ranges and categories.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace sotto::data {

// A number x becomes 2 (x - low) / (high - low) - 1, clamped to [-1, 1].
struct RangeScale {
  double low = 0;
  double high = 1;
};

// A number x becomes (x - mean) / deviation, clamped to [-10, 10].
struct StandardScale {
  double mean = 0;
  double deviation = 1;
};

enum class NumberKind {
  kNumber,
  kInteger,  // a field with a fraction is an error
  kDate,     // YYYY-MM-DD; the number is that of days since 1970-01-01
};

struct NumericColumn {
  std::variant<RangeScale, StandardScale> scale;
  std::optional<double> missing = {};  // what an empty field stands for, before scaling
  NumberKind kind = NumberKind::kNumber;
  // A second feature, 1 where the field is empty and else 0. Without `missing`, the first is then
  // 0.
  bool indicator = false;

  float feature(double value) const;
  // A value as a table has it: an integer without fraction, a date as YYYY-MM-DD, another number
  // with `digits` significant digits.
  std::string field(double value, int digits) const;
  bool may_be_missing() const { return missing.has_value() || indicator; }
};

// One feature for each category, 1 for the one that a field names and 0 for the others.
struct CategoricalColumn {
  std::vector<std::string> categories;
  bool other = false;  // a category not listed is all zeros rather than an error
  std::optional<std::string> missing = {};  // the category that an empty field stands for
  // One more feature, 1 where the field is empty and else 0. Without `missing`, the others are 0
  // then.
  bool indicator = false;

  bool may_be_missing() const { return missing.has_value() || indicator; }
};

using ColumnRule = std::variant<NumericColumn, CategoricalColumn>;

std::int64_t feature_count(const ColumnRule& rule);

// How fields are written.
struct TableFormat {
  char separator = ',';                          // or ';' or a tab
  char decimal = '.';                            // or ','
  bool says_decimal = false;                     // or it is taken for granted
  std::vector<std::string> missing_values = {};  // these stand for an empty field
};

// All of it is public: it must come from common knowledge, never from the private rows.
struct CsvSchema {
  std::string label;                 // the label's column
  std::vector<std::string> classes;  // values of the label, in the order of their indices
  std::vector<std::pair<std::string, ColumnRule>> columns;  // in the order of the features
  std::vector<std::string> dropped;                         // columns that are not looked at
  std::vector<std::string> ids;  // never a feature, but carried along with predictions
  std::string person;            // the column that says whose the row is; as an id. Empty: none
  TableFormat format;

  std::int64_t feature_count() const;
  // The columns that are carried along: ids, and the person's.
  std::vector<std::string> carried() const;
};

// JSON, such as {"label": "income", "classes": ["<=50K", ">50K"], "drop": ["id"],
//   "columns": {"age": {"low": 0, "high": 100, "missing": 38}, "hours": {"mean": 40, "std": 12},
//               "work": {"categories": ["Private", "Government"], "other": true}}}.
// docs/tables.md has all of it. Throws InvalidArgument, naming `name`, for the first thing that it
// does not know or that contradicts itself; data/schema_reading.h lists them all.
CsvSchema parse_csv_schema(std::string_view json, const std::string& name);

// Throws FileError if the file cannot be read, otherwise as parse_csv_schema.
CsvSchema read_csv_schema(const std::filesystem::path& path);

}  // namespace sotto::data
