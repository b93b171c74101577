// A schema in the making: what somebody has declared of a table's columns so far.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/csv_schema.h"

namespace sotto::data {

enum class ColumnRole {
  kUndeclared,
  kNumber,
  kInteger,
  kCategory,
  kDate,
  kId,
  kPerson,
  kLabel,
  kIgnored,
};

struct ColumnDraft {
  std::string name;
  ColumnRole role = ColumnRole::kUndeclared;
  std::string low = {};  // of a number, an integer or a date
  std::string high = {};
  std::vector<std::string> values = {};  // categories, or the label's classes
  bool missing = false;                  // a field may be empty
  bool other = false;                    // a field may hold another category
  bool from_sample = false;              // range or values were taken from public rows

  bool has_range() const;
  bool has_values() const;
  // Nothing is left to say of it.
  bool is_complete() const;
};

// "number", "integer", "category", "date", "id", "person", "label", "ignored".
const std::vector<std::string>& role_names();
// The role of a name, or of as many letters as tell it from the others; kUndeclared for any other
// text.
ColumnRole role_from_name(std::string_view text);

struct SchemaDraft {
  TableFormat format = {};
  std::vector<ColumnDraft> columns = {};
  std::string note = {};

  // Columns that are not complete; "(label)" if none is the label.
  std::vector<std::string> to_declare() const;

  // The schema, one line for each column. What is still to declare has kToDeclare in its place,
  // which read_schema() reports.
  std::string json() const;

  // The first thing that is wrong with what was declared, in words that follow a name; empty if
  // nothing is.
  std::string mistake() const;
};

}  // namespace sotto::data
