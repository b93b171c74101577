#include "rappor/csv_fields.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/byte_order_mark.h"
#include "core/csv_line.h"

namespace sotto::rappor {

namespace {

template <typename Number>
std::optional<Number> number_in(std::string_view field) {
  Number number{};
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  if (error != std::errc() || end != field.data() + field.size()) return std::nullopt;
  return number;
}

}  // namespace

std::optional<std::vector<std::string>> split_fields(std::string_view line) {
  std::vector<std::string> fields;
  if (!split_csv_line(line, fields)) return std::nullopt;
  return fields;
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  text = without_byte_order_mark(text);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::optional<std::uint64_t> whole_number(std::string_view field) {
  return number_in<std::uint64_t>(field);
}

std::optional<double> real_number(std::string_view field) {
  const auto number = number_in<double>(field);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string result = "'";
  for (const char character : text.substr(0, kMost)) {
    const bool control = static_cast<unsigned char>(character) < 0x20 || character == 0x7F;
    result += control ? '?' : character;
  }
  return result + (text.size() > kMost ? "...'" : "'");
}

}  // namespace sotto::rappor
