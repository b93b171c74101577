// Every problem of a schema, and of a table with it: for the eyes of those who hold the data.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/schema_reading.h"

namespace sotto::data {

// A schema that was looked through, with a line for everything that is wrong with it.
struct SchemaCheck {
  struct Problem {
    std::int64_t line = 1;
    std::int64_t character = 1;
    std::string column;  // of the table; empty: the problem is about none
    std::string text;
    bool to_declare = false;
  };
  SchemaReading reading;
  std::vector<Problem> problems;  // in the order of the file
};

// Throws InvalidArgument, naming `name`, if the text is not JSON.
SchemaCheck check_schema(std::string_view text, const std::string& name);

// A table that was looked through. All of it is about single rows: private.
struct TableCheck {
  struct Problem {
    std::string column;  // empty: the problem is about whole lines
    std::string text;
    std::vector<std::int64_t> lines;  // all that have it
    bool of_header = false;           // about the line of names
  };
  struct Clamped {
    std::string column;
    std::vector<std::int64_t> lines;
  };
  // Lines with problems of their own, of a column that has as many of them as are listed.
  struct Unlisted {
    std::string column;
    std::int64_t lines = 0;
  };
  // How many rows name the same person.
  struct PersonRows {
    std::string column;
    std::int64_t most = 0;
    std::int64_t without = 0;  // rows that name nobody
  };
  static constexpr std::size_t kMostListed = 1000;  // problems of a column in its rows

  std::vector<Problem> problems;  // in the order of their first lines
  std::vector<Unlisted> unlisted;
  std::vector<Clamped> clamped;  // values outside the declared range: allowed, but cut to its ends
  std::optional<PersonRows> person;  // if the schema names the person, and the table has the column
  std::int64_t rows = 0;             // lines under that of the names, empty ones aside
};

// What parse_csv_table() would throw for, line by line and column by column. Columns that the
// schema has a problem with are looked for in the header only. Throws nothing about the rows.
TableCheck check_table(std::istream& input, const SchemaReading& schema);

}  // namespace sotto::data
