// Text for a terminal: labels, paragraphs wrapped beside them, lists of both. Widths count
// characters, not bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sotto::cli {

// "label      words words\n           words ...\n": wrapped at 88 columns, or at the terminal's if
// it has fewer.
std::string labelled_paragraph(std::string_view label, std::string_view text);

// Names come from files: none may steer the terminal. What would becomes '?'.
std::string printable(std::string text);

// Number of characters of UTF-8 text.
std::size_t display_width(std::string_view text);

// text, padded with spaces to `width` characters.
std::string padded(std::string_view text, std::size_t width);
// No more than `count` characters of it.
std::string first_characters(std::string_view text, std::size_t count);

// Words in lines of at most `columns` characters (a longer word has one of its own), without an end
// of line behind the last; lines but the first begin with `indent` spaces, which count.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent);

// Columns for help: those of the terminal behind stdout, 80 if it has none, and never below 40.
std::size_t help_columns();

struct ListItem {
  std::string label;
  std::string text;
};

// One line, or more, for each item: its label, and its text wrapped beside it; below it where the
// label is long.
std::string item_list(const std::vector<ListItem>& items, std::size_t columns);

}  // namespace sotto::cli
