#include "data/record_lines.h"

#include <algorithm>
#include <string_view>

#include "core/byte_order_mark.h"
#include "data/table_header.h"
#include "sotto/core/error.h"

namespace sotto::data {

namespace {

constexpr int kEndOfFile = std::char_traits<char>::eof();

enum class FieldEnd { kSeparator, kLine, kBroken };

// What follows a field of this length; the field and a separator are taken off.
FieldEnd take_end(std::string_view& rest, std::size_t length, char separator) {
  if (length == rest.size()) return FieldEnd::kLine;
  if (rest[length] != separator) return FieldEnd::kBroken;
  rest.remove_prefix(length + 1);
  return FieldEnd::kSeparator;
}

FieldEnd take_plain(std::string_view& rest, std::string& field, char separator) {
  field = rest.substr(0, rest.find(separator));
  if (field.find_first_of("\"\r") != std::string::npos) return FieldEnd::kBroken;
  return take_end(rest, field.size(), separator);
}

FieldEnd take_quoted(std::string_view& rest, std::string& field, char separator) {
  field.clear();
  std::size_t start = 1;
  while (true) {
    const auto quote = rest.find('"', start);
    if (quote == std::string_view::npos) return FieldEnd::kBroken;
    field += rest.substr(start, quote - start);
    if (!rest.substr(quote + 1).starts_with('"')) return take_end(rest, quote + 1, separator);
    field += '"';
    start = quote + 2;
  }
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
  std::string_view rest = line_;
  std::size_t count = 0;
  auto end = FieldEnd::kSeparator;
  while (end == FieldEnd::kSeparator && count < most) {
    if (count == fields.size()) fields.emplace_back();
    auto& field = fields[count++];
    end = rest.starts_with('"') ? take_quoted(rest, field, separator_)
                                : take_plain(rest, field, separator_);
  }
  fields.resize(count);
  return end == FieldEnd::kLine;
}

}  // namespace sotto::data
