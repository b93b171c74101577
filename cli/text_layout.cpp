#include "cli/text_layout.h"

#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "cli/terminal.h"

namespace sotto::cli {

namespace {

constexpr std::size_t kColumns = 88;
constexpr std::size_t kIndent = 12;

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

}  // namespace

std::string printable(std::string text) {
  const auto steers = [](char byte) {
    return (static_cast<unsigned char>(byte) < 0x20U && byte != '\n') || byte == 0x7F;
  };
  std::replace_if(text.begin(), text.end(), steers, '?');
  return text;
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

std::string padded(std::string_view text, std::size_t width) {
  std::string result(text);
  const std::size_t used = display_width(text);
  if (used < width) result.append(width - used, ' ');
  return result;
}

std::string first_characters(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    if (begins_character(text[end]) && count-- == 0) break;
  }
  return std::string(text.substr(0, end));
}

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent) {
  std::string result;
  std::size_t column = indent;
  bool line_is_empty = true;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word; line_is_empty = false) {
    const std::size_t width = display_width(word);
    if (!line_is_empty && column + 1 + width > columns) {
      result += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (!line_is_empty) {
      result += ' ';
      ++column;
    }
    result += word;
    column += width;
  }
  return result;
}

std::string labelled_paragraph(std::string_view label, std::string_view text) {
  const auto columns =
      std::clamp<std::size_t>(terminal_columns(STDOUT_FILENO).value_or(kColumns), 40, kColumns);
  const auto body = wrapped(text, columns, kIndent);
  return (body.empty() ? std::string(label) : padded(label, kIndent) + body) + '\n';
}

std::size_t help_columns() {
  constexpr std::size_t kUsual = 80;
  constexpr std::size_t kLeast = 40;
  return std::max(terminal_columns(STDOUT_FILENO).value_or(kUsual), kLeast);
}

std::string item_list(const std::vector<ListItem>& items, std::size_t columns) {
  constexpr std::size_t kMargin = 2;
  constexpr std::size_t kGap = 2;
  const std::size_t widest = std::min<std::size_t>(28, columns / 3);
  std::size_t label = 0;
  for (const auto& item : items) {
    const auto width = display_width(item.label);
    if (width <= widest) label = std::max(label, width);
  }
  const std::size_t indent = kMargin + std::max<std::size_t>(label, 6) + kGap;
  std::string list;
  for (const auto& item : items) {
    const auto begin = std::string(kMargin, ' ') + item.label;
    const auto body = wrapped(item.text, columns, indent);
    if (body.empty()) {
      list += begin + '\n';
    } else if (display_width(begin) + kGap <= indent) {
      list += padded(begin, indent) + body + '\n';
    } else {
      list += begin + '\n' + std::string(indent, ' ') + body + '\n';
    }
  }
  return list;
}

}  // namespace sotto::cli
