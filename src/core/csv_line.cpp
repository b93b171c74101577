#include "core/csv_line.h"

namespace sotto {

namespace {

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
  if (field.find('"') != std::string::npos) return FieldEnd::kBroken;
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

}  // namespace

bool split_csv_line(std::string_view line, std::vector<std::string>& fields, char separator,
                    std::size_t most) {
  std::size_t count = 0;
  auto end = FieldEnd::kSeparator;
  while (end == FieldEnd::kSeparator && count < most) {
    if (count == fields.size()) fields.emplace_back();
    auto& field = fields[count++];
    end = line.starts_with('"') ? take_quoted(line, field, separator)
                                : take_plain(line, field, separator);
  }
  fields.resize(count);
  return end == FieldEnd::kLine;
}

}  // namespace sotto
