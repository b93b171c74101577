// Comma-separated values, RFC 4180; also with another sign in the comma's place. A record may span
// lines, so a fault ends the reading; lines that are read each by itself: core/csv_line.h.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace sotto::data {

// Reads records one at a time. Lines end with LF or CRLF, a UTF-8 byte order mark is skipped, and
// so are empty lines. Everything else RFC 4180 has no place for is an error: InvalidArgument with
// the name and the line.
class CsvReader {
 public:
  // `input` must outlive the reader. `first_line`: the number of the input's first line in the
  // file; a byte order mark is expected in line 1 only.
  CsvReader(std::istream& input, std::string name, char separator = ',',
            std::int64_t first_line = 1);

  // The next record, in `fields`; false at the end of the input. Every record must have as many
  // fields as the first.
  bool next(std::vector<std::string>& fields);

  // Where the last record began, counted from 1.
  std::int64_t line() const { return record_line_; }
  // Whether a quoted line break was in the last record.
  bool spans_lines() const { return line_ - record_line_ > (ended_by_line_ ? 1 : 0); }
  const std::string& name() const { return name_; }

  // "name, line n": how messages begin.
  std::string place() const;

 private:
  int take();
  int peek();
  bool read_record(std::vector<std::string>& fields);
  bool ends_field(int character) const;
  // Each returns the character that ended the field: the separator, '\n' or kEnd.
  int read_field(std::string& field);
  int read_quoted(std::string& field);
  int read_plain(std::string& field);
  int after_carriage_return();
  void check_width(std::size_t width);

  std::streambuf* input_;
  std::string name_;
  int separator_;
  std::int64_t line_;
  std::int64_t record_line_ = 0;
  bool ended_by_line_ = false;
  std::size_t width_ = 0;  // fields of the first record; 0 before it
};

}  // namespace sotto::data
