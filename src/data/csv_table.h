// Tables with a label column as labelled data.
#pragma once

#include <filesystem>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/csv_schema.h"
#include "data/labelled_data.h"

namespace sotto::data {

// Rows under a header line, one on each: queries count lines (RecordLines), and a record that spans
// some would be many there. Blanks around a value are dropped. Samples have shape {features}, in
// the order of the schema. Every column of the header must have its place in the schema and every
// column of the schema its place in the header, ids and dropped ones aside: a scale or a list of
// categories found in private rows would reveal something about them, so none is ever guessed.
//
// Throws InvalidArgument, with the line and the column, for a value that the schema does not allow.
LabelledData parse_csv_table(std::istream& input, const std::string& name, const CsvSchema& schema);

// The index of the class that a field, without blanks around it, names.
std::optional<std::int64_t> label_index(std::string_view field, const CsvSchema& schema);
// Why others are refused.
std::string not_a_class(std::string_view field);
constexpr const char* kSpansLines =
    "a line break between quotes; a record must be one line, as queries count them: replace the "
    "line break";

// Rows whose label nobody knows yet.
struct RowsToPredict {
  std::vector<float> features;             // (n, *shape), row-major
  std::vector<std::int64_t> shape;         // of one row
  std::vector<std::string> carried_names;  // of CsvSchema::carried(), those that the table has
  std::vector<std::vector<std::string>> carried;  // (n, names): their fields

  std::int64_t size() const { return static_cast<std::int64_t>(carried.size()); }
};

// As parse_csv_table, but only the inputs must have their place in the header, and labels are not
// looked at.
RowsToPredict parse_rows_to_predict(std::istream& input, const std::string& name,
                                    const CsvSchema& schema);

// Training rows from one file, test rows from another.
TrainTest read_csv(const std::filesystem::path& train, const std::filesystem::path& test,
                   const CsvSchema& schema);

// One row in six on average is held out for testing, chosen by a public hash of the row's own
// fields and nothing else: adding, removing or moving a row leaves every other one on its side, and
// equal rows stay together. There may be no held-out rows at all.
TrainTest read_csv(const std::filesystem::path& path, const CsvSchema& schema,
                   HeldOut held_out = HeldOut::kOneInSix);

}  // namespace sotto::data
