// Text that others wrote, in our messages.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace sotto::mechanisms {

// On one line and no longer than a glance: control characters become '?', and what follows the
// first 80 bytes "...".
inline std::string printable(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  std::string shown(text.substr(0, kLongest));
  std::replace_if(
      shown.begin(), shown.end(),
      [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; }, '?');
  return shown + (text.size() > kLongest ? "..." : "");
}

}  // namespace sotto::mechanisms
