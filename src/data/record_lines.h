// The lines of a CSV file as private records, each read by itself.
#pragma once

#include <istream>
#include <optional>
#include <string>
#include <vector>

namespace sotto::data {

// The first line holds the column names, which everyone may know. Every other line is one record at
// most, and what is made of it depends on its own bytes alone: no line can hide another, change how
// it is read, or be the reason for an error. A line is skipped, without a word, if
//
//  - it is empty, or has another number of fields than there are columns;
//  - its quotes are not those of RFC 4180 within the line (a quoted line break is therefore not
//    understood: a record is a line);
//  - it holds a NUL byte, or a carriage return outside quotes other than at its end;
//  - it is longer than kLongestLine, all of which is never held in memory.
//
// Lines end with LF or CRLF; a UTF-8 byte order mark before the names is skipped.
class RecordLines {
 public:
  // In bytes, without the end of the line.
  static constexpr std::size_t kLongestLine = std::size_t{1} << 20U;

  // Reads the column names, without blanks around them. `input` must outlive the object. Throws
  // InvalidArgument, beginning with `name`, if the first line would be passed over. `separator`: a
  // comma, a semicolon or a tab; if there is none, that of separator_without_schema(), which looks
  // at the first line alone.
  RecordLines(std::istream& input, const std::string& name, std::optional<char> separator = ',');

  const std::vector<std::string>& columns() const { return columns_; }
  char separator() const { return separator_; }

  // The next record, with as many fields as columns; false at the end.
  bool next(std::vector<std::string>& fields);

 private:
  bool read_line();
  bool is_record(std::vector<std::string>& fields, std::size_t most) const;

  std::streambuf* input_;
  char separator_ = ',';
  std::string line_;
  bool too_long_ = false;
  std::vector<std::string> columns_;
};

}  // namespace sotto::data
