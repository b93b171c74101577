// The three bytes that some programs write before UTF-8 text. They are no part of it.
#pragma once

#include <string_view>

namespace sotto {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Of the beginning of a file.
inline std::string_view without_byte_order_mark(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text;
}

}  // namespace sotto
