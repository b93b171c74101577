#include "anonymity/one_spelling.h"

#include <cctype>
#include <charconv>
#include <cstdint>

namespace sotto::anonymity {
namespace {

// The digits up to the end or an 'e', without the point; `exponent` of ten falls by one for each
// behind it.
std::string take_digits(std::string_view& text, std::int64_t& exponent) {
  std::string digits;
  bool behind_point = false;
  while (!text.empty()) {
    const char c = text.front();
    if (c == '.' && !behind_point) {
      behind_point = true;
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      digits += c;
      exponent -= behind_point ? 1 : 0;
    } else {
      break;
    }
    text.remove_prefix(1);
  }
  return digits;
}

// What stands behind an 'e', if that is all that is left.
bool take_exponent(std::string_view text, std::int64_t& exponent) {
  if (text.empty()) return true;
  if (text.front() != 'e' && text.front() != 'E') return false;
  text.remove_prefix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int32_t power = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), power);
  exponent += power;
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

std::string one_spelling(std::string_view text) {
  std::string as_it_is(text);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  std::int64_t exponent = 0;
  std::string digits = take_digits(text, exponent);
  if (digits.empty() || !take_exponent(text, exponent)) return as_it_is;
  digits.erase(0, digits.find_first_not_of('0'));
  if (digits.empty()) return "0";
  const auto last = digits.find_last_not_of('0');
  exponent += static_cast<std::int64_t>(digits.size() - 1 - last);
  digits.resize(last + 1);
  return (negative ? "-" : "") + digits + "e" + std::to_string(exponent);
}

}  // namespace sotto::anonymity
