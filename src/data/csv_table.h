// Tables with a label column as labelled data.
#pragma once

#include <filesystem>
#include <istream>
#include <string>

#include "data/csv_schema.h"
#include "data/labelled_data.h"

namespace sotto::data {

// Rows under a header line, one on each: queries count lines (RecordLines), and a record that spans
// some would be many there. Blanks around a value are dropped. Samples have shape {features}, in
// the order of the schema. Every column of the header must have its place in the schema and every
// column of the schema its place in the header: a scale or a list of categories found in private
// rows would reveal something about them, so none is ever guessed.
//
// Throws InvalidArgument, with the line and the column, for a value that the schema does not allow.
LabelledData parse_csv_table(std::istream& input, const std::string& name, const CsvSchema& schema);

// Training rows from one file, test rows from another.
TrainTest read_csv(const std::filesystem::path& train, const std::filesystem::path& test,
                   const CsvSchema& schema);

// One row in six on average is held out for testing, chosen by a public hash of the row's own
// fields and nothing else: adding, removing or moving a row leaves every other one on its side, and
// equal rows stay together. There may be no held-out rows at all.
TrainTest read_csv(const std::filesystem::path& path, const CsvSchema& schema,
                   HeldOut held_out = HeldOut::kOneInSix);

}  // namespace sotto::data
