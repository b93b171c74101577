// What the columns of a queried table are declared to hold: --schema and --type.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/query_flags.h"
#include "sotto/mechanisms/record_filter.h"
#include "sotto/mechanisms/releases.h"

namespace sotto::cli {

// The flag that declares it, as a shell takes it: "--type age=number", "--type 'first name=text'".
// REQUIRES: no type of categories, which only a schema declares.
std::string type_flag(const std::string& column, const mechanisms::ColumnType& type);

class DeclaredColumns {
 public:
  // Throws UsageError, naming the flag, for what is no type, or contradicts the schema; as
  // data::read_csv_schema does.
  explicit DeclaredColumns(const QueryTexts& texts);

  const mechanisms::ColumnTypes& types() const { return types_; }
  // What the schema says of a column of numbers or of categories; nullptr if it does not.
  const mechanisms::ValueBounds* bounds(const std::string& column) const;
  const std::vector<std::string>* categories(const std::string& column) const;

  // True if the schema says that its values are whole numbers.
  bool is_whole(const std::string& column) const;

  // How the table is written: nothing without a schema, and then points.
  std::optional<char> separator() const { return separator_; }
  char decimal() const { return decimal_; }
  // Whether the schema has "decimal".
  bool says_decimal() const { return says_decimal_; }

  // The column that the schema names as the person; empty if it does not.
  const std::string& person() const { return person_; }

  // Those that declared something.
  std::string flags() const;
  // Throws UsageError, naming the flag, if the table has no such column, or another separator.
  void check_present(const std::vector<std::string>& columns) const;

 private:
  void check_separator(const std::vector<std::string>& columns) const;
  void read_schema(const std::string& path);
  void read_type(const std::string& text);

  mechanisms::ColumnTypes types_;
  std::map<std::string, mechanisms::ValueBounds> bounds_;
  std::string person_;
  std::string schema_flag_;  // with its value; empty without a schema
  std::optional<char> separator_;
  char decimal_ = '.';
  bool says_decimal_ = false;
  std::map<std::string, std::string> sources_;  // the flag that declared the column
};

}  // namespace sotto::cli
