// What somebody wrote in a question, against what its column was declared to hold.
#pragma once

#include <optional>
#include <string>

#include "mechanisms/condition_parser.h"
#include "sotto/mechanisms/record_filter.h"

namespace sotto::mechanisms {

// Why a value or a comparison makes no sense.
struct Mismatch {
  std::string what;
  std::string accepted;
};

// Reads a comparison's value as its column's type: as a number, a date or text. Nothing is wrong
// with it, or it is left unusable.
std::optional<Mismatch> read_as(const ColumnType& type, RecordFilter::Node& comparison);

// The same for a value that a part of the records is to have.
std::optional<Mismatch> mismatch_of_part(const ColumnType& type, const std::string& value);

}  // namespace sotto::mechanisms
