// Bytes as text.
#pragma once

#include <span>
#include <string>

namespace sotto {

// Two lower-case hexadecimal digits a byte.
inline std::string hex_digits(std::span<const unsigned char> bytes) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string hex;
  for (const unsigned char byte : bytes) {
    hex += kDigits[byte >> 4U];
    hex += kDigits[byte & 15U];
  }
  return hex;
}

}  // namespace sotto
