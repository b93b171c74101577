// Conditions on a record, as in: age > 40 and (city = 'Besançon' or not smoker = yes).
//
//   condition:  comparisons, joined by and, or, not and parentheses; or binds weakest
//   comparison: COLUMN OPERATOR VALUE, with the operators = == != < <= > >=
//   column:     a word, or any text in "double quotes" or `back quotes`
//   value:      a number; a date, YYYY-MM-DD; a word; any text in 'single' or "double quotes"
//
// A value is read as its column's declared type: as a number, a date or text, the last with = and
// != only. A comparison that makes no sense for the type, or whose answer follows from the declared
// range, is refused. Of a column that is not declared, text alone may be compared: a word, or a
// number in quotes. Where a number or a date is asked for and a field holds none, the comparison is
// neither true nor false, and neither is its negation: the record matches only if the rest of the
// condition decides that it does (SQL's NULL). A record is judged by its own fields alone, so that
// adding or removing another changes nothing.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sotto/core/error.h"

namespace sotto::mechanisms {

// What the columns of a table hold, as declared by somebody who may know it: never found in the
// records. It decides which questions make sense, before anything is charged.

// Both ends are part of it. REQUIRES: low <= high.
template <typename Value>
struct DeclaredRange {
  Value low;
  Value high;

  bool contains(const Value& value) const { return low <= value && value <= high; }
};

struct NumberType {
  std::optional<DeclaredRange<double>> range = {};
  bool whole = false;  // without fractions
};
struct DateType {  // YYYY-MM-DD
  std::optional<DeclaredRange<std::chrono::sys_days>> range = {};
};
struct TextType {};
struct CategoryType {
  std::vector<std::string> names;
  bool other = false;  // fields may hold others, too
};

using ColumnType = std::variant<NumberType, DateType, TextType, CategoryType>;

// "numbers", "dates", "text" or "categories".
std::string_view contents(const ColumnType& type);

// By the column's name. Columns that are not declared can be compared with text, and counted by its
// values; whatever reads numbers or dates in them is refused.
using ColumnTypes = std::map<std::string, ColumnType, std::less<>>;

// A question names a column that the table does not have, or has more than once.
class NoSuchColumn : public InvalidArgument {
 public:
  NoSuchColumn(std::string name, const std::string& message);
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

// What is asked of a column depends on what it holds, and nobody has declared that.
class UndeclaredColumn : public InvalidArgument {
 public:
  // `accepted`: the types with which the question would make sense.
  UndeclaredColumn(std::string name, std::vector<ColumnType> accepted, const std::string& message);
  const std::string& name() const { return name_; }
  const std::vector<ColumnType>& accepted() const { return accepted_; }

 private:
  std::string name_;
  std::vector<ColumnType> accepted_;
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
  // that makes no sense for columns of these types; NoSuchColumn or UndeclaredColumn, where it is
  // that. Copies what it keeps of its arguments. `decimal`: as for field_number(), in fields; the
  // condition itself has points.
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
