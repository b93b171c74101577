#include "data/csv_records.h"

#include <cerrno>

#include "core/atomic_file.h"
#include "data/column_inputs.h"
#include "data/table_header.h"
#include "sotto/core/error.h"

namespace sotto::data {

std::ifstream open_csv_file(const std::filesystem::path& path) {
  check_argument(std::filesystem::is_regular_file(path), path.string(),
                 ": not a regular file; accepted: a CSV file");
  std::ifstream input(path, std::ios::binary);
  if (!input) throw FileError(path, "cannot open", errno);
  return input;
}

char shown_separator(const std::filesystem::path& path) {
  auto input = open_csv_file(path);
  std::string first_line;
  std::getline(input, first_line);
  return separator_of(first_line).value_or(',');
}

CsvRecords::CsvRecords(const std::filesystem::path& path)
    : separator_(shown_separator(path)),
      input_(open_csv_file(path)),
      reader_(input_, path.string(), separator_) {
  check_argument(reader_.next(columns_), path.string(),
                 ": empty, must begin with a line of column names");
  for (auto& column : columns_) column = std::string(trimmed_field(column));
}

}  // namespace sotto::data
