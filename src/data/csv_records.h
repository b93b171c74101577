// The records of a CSV file under its line of column names.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "data/csv.h"

namespace sotto::data {

// The file, open. Throws FileError if it cannot be opened, InvalidArgument if it is not a regular
// file (a pipe can be read only once).
std::ifstream open_csv_file(const std::filesystem::path& path);

// The separator that the first line of a file shows: separator_of(), or a comma. For files
// that may be read as a whole. Throws as open_csv_file does.
char shown_separator(const std::filesystem::path& path);

class CsvRecords {
 public:
  // Reads the column names, without blanks around them, by shown_separator(). Throws as
  // open_csv_file does, and InvalidArgument if there are no names.
  explicit CsvRecords(const std::filesystem::path& path);

  const std::vector<std::string>& columns() const { return columns_; }
  char separator() const { return separator_; }

  // The next record; false at the end. Throws InvalidArgument, with the line, where the file is not
  // CSV.
  bool next(std::vector<std::string>& fields) { return reader_.next(fields); }

 private:
  char separator_;
  std::ifstream input_;
  CsvReader reader_;
  std::vector<std::string> columns_;
};

}  // namespace sotto::data
