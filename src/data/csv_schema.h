// What everyone may know about a table: its classes, its columns, their ranges and categories.
#pragma once

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

struct NumericColumn {
  std::variant<RangeScale, StandardScale> scale;
  std::optional<double> missing;  // what an empty field stands for, before scaling

  float feature(double value) const;
};

// One feature for each category, 1 for the one that a field names and 0 for the others.
struct CategoricalColumn {
  std::vector<std::string> categories;
  bool other = false;                  // a category not listed is all zeros rather than an error
  std::optional<std::string> missing;  // the category that an empty field stands for
};

using ColumnRule = std::variant<NumericColumn, CategoricalColumn>;

// All of it is public: it must come from common knowledge, never from the private rows.
struct CsvSchema {
  std::string label;                 // the label's column
  std::vector<std::string> classes;  // values of the label, in the order of their indices
  std::vector<std::pair<std::string, ColumnRule>> columns;  // in the order of the features
  std::vector<std::string> dropped;                         // columns that are not looked at

  std::int64_t feature_count() const;
};

// JSON, such as {"label": "income", "classes": ["<=50K", ">50K"], "drop": ["id"],
//   "columns": {"age": {"low": 0, "high": 100, "missing": 38}, "hours": {"mean": 40, "std": 12},
//               "work": {"categories": ["Private", "Government"], "other": true}}}.
// Throws InvalidArgument, naming `name`, for anything it does not know or that contradicts itself.
CsvSchema parse_csv_schema(std::string_view json, const std::string& name);

// Throws FileError if the file cannot be read, otherwise as parse_csv_schema.
CsvSchema read_csv_schema(const std::filesystem::path& path);

}  // namespace sotto::data
