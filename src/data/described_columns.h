// How the columns of a table become the inputs of a model, in words.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/csv_schema.h"

namespace sotto::data {

struct DescribedColumn {
  std::string name;
  std::string kind;                      // "integer from 0 to 120"
  std::vector<std::string> inputs = {};  // what each of them is
};

// Inputs in their order, then what becomes none, then the label.
std::vector<DescribedColumn> described_columns(const CsvSchema& schema);

// Throws InvalidArgument unless the table's line of column names fits the schema, as rows to
// predict need it. No other line is read.
void check_header(const std::filesystem::path& table, const CsvSchema& schema);

}  // namespace sotto::data
