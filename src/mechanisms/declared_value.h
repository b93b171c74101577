// What somebody wrote in a question, against what its column was declared to hold.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mechanisms/condition_parser.h"
#include "sotto/mechanisms/record_filter.h"

namespace sotto::mechanisms {

// Why a value or a comparison makes no sense.
struct Mismatch {
  std::string what;
  std::string accepted;
};

// Whether it asks for more than equality.
bool is_order(Comparison comparison);

// Of a column whose type decides what a question means: "nothing declares what this column holds;
// expected a column declared to hold numbers or dates".
std::string undeclared_words(const std::vector<ColumnType>& accepted);

// Reads a comparison's value as its column's type: as a number, a date or text. Nothing is wrong
// with it, or it is left unusable. A value outside the declared range, whose ends are part of it,
// is taken for a mistake. Fields may hold such values all the same: queries compare them as they
// are, and in training an end of the range stands for them.
std::optional<Mismatch> read_as(const ColumnType& type, RecordFilter::Node& comparison);

// The same for a value that a part of the records is to have.
std::optional<Mismatch> mismatch_of_part(const ColumnType& type, const std::string& value);

}  // namespace sotto::mechanisms
