// Rows of a table, as their columns are written, for the TorchScript of a model.
#pragma once

#include <string>

#include "data/csv_schema.h"

namespace sotto::train {

// The schema in the form that kTableScript reads, for the module's attribute "table_text".
// Everything in it is public. Throws InvalidArgument for names with control characters, which its
// separators are.
std::string table_text(const data::CsvSchema& schema);

// Methods of the module: row_inputs(row), what parse_csv_table makes of the row; and
// predict_rows(rows), (n, classes) probabilities of rows given as Dict[str, str], one text per
// column. They raise AssertionError for fields that the schema does not allow.
extern const char* const kTableScript;

}  // namespace sotto::train
