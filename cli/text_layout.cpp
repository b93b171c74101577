#include "cli/text_layout.h"

#include <algorithm>
#include <cstdio>
#include <sstream>

namespace sotto::cli {

namespace {
constexpr std::size_t kColumns = 88;
constexpr std::size_t kIndent = 12;
}  // namespace

std::string printable(std::string text) {
  const auto steers = [](char byte) {
    return (static_cast<unsigned char>(byte) < 0x20U && byte != '\n') || byte == 0x7F;
  };
  std::replace_if(text.begin(), text.end(), steers, '?');
  return text;
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;  // not a continuation byte
  }));
}

std::string padded(std::string_view text, std::size_t width) {
  std::string result(text);
  const std::size_t used = display_width(text);
  if (used < width) result.append(width - used, ' ');
  return result;
}

std::string labelled_paragraph(std::string_view label, std::string_view text) {
  std::string result = padded(label, kIndent);
  std::size_t column = kIndent;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    const std::size_t width = display_width(word);
    if (column > kIndent && column + 1 + width > kColumns) {
      result += '\n' + std::string(kIndent, ' ');
      column = kIndent;
    }
    if (column > kIndent) {
      result += ' ';
      ++column;
    }
    result += word;
    column += width;
  }
  return result + '\n';
}

}  // namespace sotto::cli
