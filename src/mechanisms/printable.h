// Text that others wrote, in our messages.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace sotto::mechanisms {

// What follows the first 60 bytes becomes "…"; no character of UTF-8 is cut apart.
inline std::string at_a_glance(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  constexpr std::size_t kLongestCharacter = 4;
  const auto continues = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
  };
  std::size_t size = std::min(text.size(), kLongest);
  while (size < text.size() && size + kLongestCharacter > kLongest && continues(size)) --size;
  return std::string(text.substr(0, size)) + (size < text.size() ? "…" : "");
}

// The same on one line: control characters become '?'.
inline std::string printable(std::string_view text) {
  auto shown = at_a_glance(text);
  std::replace_if(
      shown.begin(), shown.end(),
      [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; }, '?');
  return shown;
}

}  // namespace sotto::mechanisms
