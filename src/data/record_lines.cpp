#include "data/record_lines.h"

#include "core/byte_order_mark.h"
#include "core/csv_line.h"
#include "data/table_header.h"
#include "sotto/core/error.h"

namespace sotto::data {

namespace {

constexpr int kEndOfFile = std::char_traits<char>::eof();

// Of a line whose quotes are in their places: inside them is what follows an odd number.
bool has_return_outside_quotes(std::string_view line) {
  bool quoted = false;
  for (const char character : line) {
    if (character == '"') quoted = !quoted;
    if (character == '\r' && !quoted) return true;
  }
  return false;
}

std::string trimmed(const std::string& name) {
  const auto first = name.find_first_not_of(" \t");
  if (first == std::string::npos) return {};
  return name.substr(first, name.find_last_not_of(" \t") - first + 1);
}

}  // namespace

RecordLines::RecordLines(std::istream& input, const std::string& name,
                         std::optional<char> separator)
    : input_(input.rdbuf()) {
  read_line();
  line_ = std::string(without_byte_order_mark(line_));
  separator_ = separator ? *separator : separator_without_schema(line_, name);
  check_argument(is_record(columns_, kLongestLine), name,
                 ": must begin with a line of column names, separated by ",
                 separator_name(separator_), ", of at most ", kLongestLine, " bytes");
  for (auto& column : columns_) column = trimmed(column);
}

bool RecordLines::next(std::vector<std::string>& fields) {
  while (read_line()) {
    if (is_record(fields, columns_.size()) && fields.size() == columns_.size()) return true;
  }
  return false;
}

// False at the end of the input. Never holds more than kLongestLine, and the carriage return that
// may end it.
bool RecordLines::read_line() {
  line_.clear();
  too_long_ = false;
  int character = input_->sbumpc();
  if (character == kEndOfFile) return false;
  for (; character != kEndOfFile && character != '\n'; character = input_->sbumpc()) {
    too_long_ = too_long_ || line_.size() > kLongestLine;
    if (!too_long_) line_ += static_cast<char>(character);
  }
  if (line_.ends_with('\r')) line_.pop_back();
  too_long_ = too_long_ || line_.size() > kLongestLine;
  return true;
}

// The fields of the line, if it is sound and they are not more than `most`.
bool RecordLines::is_record(std::vector<std::string>& fields, std::size_t most) const {
  if (too_long_ || line_.empty() || line_.find('\0') != std::string::npos) return false;
  if (!split_csv_line(line_, fields, separator_, most)) return false;
  return line_.find('\r') == std::string::npos || !has_return_outside_quotes(line_);
}

}  // namespace sotto::data
