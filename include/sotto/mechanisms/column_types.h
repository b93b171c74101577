// What the columns of a table hold, as declared by somebody who may know it: never found in the
// records. It decides which questions can be meant, before anything is charged.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sotto::mechanisms {

struct NumberType {};
struct DateType {};  // YYYY-MM-DD
struct TextType {};
struct CategoryType {
  std::vector<std::string> names;
  bool other = false;  // fields may hold others, too
};

using ColumnType = std::variant<NumberType, DateType, TextType, CategoryType>;

// "numbers", "dates", "text" or "categories".
std::string_view contents(const ColumnType& type);

// By the column's name. Of columns that are not declared nothing is known, and everything is
// allowed that has one meaning (RecordFilter).
using ColumnTypes = std::map<std::string, ColumnType, std::less<>>;

}  // namespace sotto::mechanisms
