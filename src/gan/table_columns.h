// A table's columns: which features of a row are whose, and what they say in the table's own words.
// All that is to be known here of a kind of column are its overloads in table_columns.cpp.
#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <vector>

#include "gan/networks.h"

namespace sotto::gan {

// The parts of a row's features, column by column, from a schema (JSON).
std::vector<ColumnSpan> columns_of(const std::string& schema);

// One column of a table, in its own units.
struct DecodedColumn {
  std::string name;
  // Of a column of categories, the one for all others among them; empty: numbers.
  std::vector<std::string> categories;
  // One a row: a number within the declared range, or the index of a category. NaN: missing.
  std::vector<double> values;
  // How a value is written.
  std::function<std::string(double)> text;
  bool is_date = false;  // numbers are days since 1970

  bool is_number() const { return categories.empty(); }
};

// Rows of features (n, features), categories decided, and labels (n): the schema's columns in its
// order, then the label.
std::vector<DecodedColumn> decoded_table(const at::Tensor& rows, const at::Tensor& labels,
                                         const std::string& schema);

}  // namespace sotto::gan
