// A table's line of column names, held against a schema.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/csv_schema.h"

namespace sotto::data {

// What the rows are for, and so which columns must be there.
enum class RowsFor {
  kTraining,    // label, inputs and the person's column
  kPrediction,  // inputs
};

// Which field of a row each column of the schema is.
struct TableLayout {
  std::optional<std::size_t> label;
  std::vector<std::size_t> columns;  // the inputs, in the order of the schema
  std::vector<std::size_t> carried;  // those of CsvSchema::carried() that are there, in this order
};

// All that is wrong with the names, in words that follow the place. A name in `unread` is known to
// the schema, but not what it means.
std::vector<std::string> header_problems(const std::vector<std::string>& header,
                                         const CsvSchema& schema, RowsFor purpose,
                                         const std::vector<std::string>& unread = {});

// Leaves out what is not there: see header_problems() first.
TableLayout layout_of(const std::vector<std::string>& header, const CsvSchema& schema);

// The sign among ",;\t" that separates the columns in this first line of a table, outside quotes:
// the most frequent one. Nothing if there is none of them, or two are equally frequent.
std::optional<char> separator_of(const std::string& first_line);

// Whether there is any of them, outside quotes.
bool shows_separators(const std::string& first_line);

// The separator of a table whose rows must not be read to find it: separator_of(), or a comma where
// there is none. Throws InvalidArgument, beginning with `name`, unless the line shows one sign
// alone, or mostly commas: with a wrong one, rows would hold nothing.
char separator_without_schema(const std::string& first_line, const std::string& name);

// "commas", "semicolons" or "tabs".
std::string separator_name(char separator);

}  // namespace sotto::data
