#include "data/csv.h"

#include <utility>

#include "core/counted.h"
#include "sotto/core/error.h"

namespace sotto::data {

namespace {

constexpr int kEnd = std::char_traits<char>::eof();

}  // namespace

CsvReader::CsvReader(std::istream& input, std::string name, char separator, std::int64_t first_line)
    : input_(input.rdbuf()), name_(std::move(name)), separator_(separator), line_(first_line) {
  if (line_ != 1 || peek() != 0xEF) return;
  for (const int expected : {0xEF, 0xBB, 0xBF}) {
    check_argument(take() == expected, name_, ", line 1: a byte order mark that is not UTF-8's");
  }
}

std::string CsvReader::place() const { return name_ + ", line " + std::to_string(record_line_); }

bool CsvReader::ends_field(int character) const {
  return character == separator_ || character == '\n' || character == kEnd;
}

int CsvReader::peek() { return input_->sgetc(); }

int CsvReader::take() {
  const int character = input_->sbumpc();
  check_argument(character != 0, name_, ", line ", line_, ": a NUL byte, this is not text");
  if (character == '\n') ++line_;
  return character;
}

bool CsvReader::next(std::vector<std::string>& fields) {
  while (read_record(fields)) {
    if (fields.size() == 1 && fields[0].empty()) continue;  // an empty line
    check_width(fields.size());
    return true;
  }
  return false;
}

void CsvReader::check_width(std::size_t width) {
  if (width_ == 0) width_ = width;
  check_argument(width == width_, place(), ": ", counted(width, "field"), ", must be ", width_,
                 " as in the first line");
}

bool CsvReader::read_record(std::vector<std::string>& fields) {
  if (peek() == kEnd) return false;
  record_line_ = line_;
  std::size_t count = 0;
  int ended_by = separator_;
  while (ended_by == separator_) {
    if (count == fields.size()) fields.emplace_back();
    fields[count].clear();
    ended_by = read_field(fields[count++]);
  }
  fields.resize(count);
  ended_by_line_ = ended_by == '\n';
  return true;
}

int CsvReader::read_field(std::string& field) {
  if (peek() != '"') return read_plain(field);
  take();
  return read_quoted(field);
}

int CsvReader::read_plain(std::string& field) {
  while (true) {
    const int character = take();
    if (ends_field(character)) return character;
    if (character == '\r') return after_carriage_return();
    check_argument(character != '"', name_, ", line ", line_,
                   ": a quote inside a field that does not begin with one");
    field += static_cast<char>(character);
  }
}

int CsvReader::read_quoted(std::string& field) {
  const std::int64_t opened = line_;
  while (true) {
    int character = take();
    check_argument(character != kEnd, name_, ", line ", opened, ": a quote that is never closed");
    if (character != '"') {
      field += static_cast<char>(character);
    } else if (peek() == '"') {
      field += static_cast<char>(take());
    } else {
      character = take();
      if (character == '\r') return after_carriage_return();
      check_argument(ends_field(character), name_, ", line ", line_,
                     ": text after a closing quote");
      return character;
    }
  }
}

int CsvReader::after_carriage_return() {
  check_argument(peek() == '\n' || peek() == kEnd, name_, ", line ", line_,
                 ": a carriage return that does not end a line");
  return take();
}

}  // namespace sotto::data
