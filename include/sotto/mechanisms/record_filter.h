// Conditions on a record, as in: age > 40 and (city = 'Besançon' or not smoker = yes).
//
//   condition:  comparisons, joined by and, or, not and parentheses; or binds weakest
//   comparison: COLUMN OPERATOR VALUE, with the operators = == != < <= > >=
//   column:     a word, or any text in "double quotes" or `back quotes`
//   value:      a number; a date, YYYY-MM-DD; a word; any text in 'single' or "double quotes"
//
// A number is compared as a number, a date as a date, everything else as text, with = and != only;
// where the column's type is declared, as that type, and a comparison that it makes no sense for is
// refused. Where none is declared, an order by a whole number from 1900 to 2100 is refused: it may
// be a year, which no date compares with. Where a number or a date is asked for and a field holds
// none, the comparison is neither true nor false, and neither is its negation: the record matches
// only if the rest of the condition decides that it does (SQL's NULL). A record is judged by its
// own fields alone, so that adding or removing another changes nothing.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sotto/core/error.h"
#include "sotto/mechanisms/column_types.h"

namespace sotto::mechanisms {

// A question names a column that the table does not have, or has more than once.
class NoSuchColumn : public InvalidArgument {
 public:
  NoSuchColumn(std::string name, const std::string& message);
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

// A comparison that means one thing in a column of dates and another in one of numbers, and nobody
// has declared which it is.
class UndeclaredColumn : public InvalidArgument {
 public:
  UndeclaredColumn(std::string name, const std::string& message);
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

// The finite number that a field is, blanks around it aside; nothing if it is not one. `decimal`:
// the sign before its fraction, a point or a comma; the other one is in no number then.
std::optional<double> field_number(std::string_view field, char decimal = '.');

// The day that a field names as YYYY-MM-DD, blanks around it and a time of day after it aside;
// nothing if it does not.
std::optional<std::chrono::sys_days> field_date(std::string_view field);

// The field without blanks around it.
std::string_view trimmed(std::string_view field);

// Which of `columns` has this name. Throws NoSuchColumn, naming the columns, if none or several.
std::size_t column_index(std::string_view name, std::span<const std::string> columns);

class RecordFilter {
 public:
  // Every record.
  RecordFilter() = default;
  // Throws InvalidArgument, naming the place, if `text` is not a condition on these columns, or one
  // that columns of these types cannot be meant in; NoSuchColumn or UndeclaredColumn, where it is
  // that. `decimal`: as for field_number(), in fields; the condition itself has points.
  RecordFilter(std::string_view text, std::span<const std::string> columns,
               const ColumnTypes& types = {}, char decimal = '.');

  // Whether a comparison takes a field for a number, so that it matters how those are written.
  bool reads_numbers() const;

  // REQUIRES: as many fields as columns.
  bool matches(std::span<const std::string> fields) const;

  struct Node;

 private:
  std::shared_ptr<const Node> root_;
  char decimal_ = '.';
};

}  // namespace sotto::mechanisms
