// Text for a terminal: a label, and a paragraph wrapped beside it.
#pragma once

#include <string>
#include <string_view>

namespace sotto::cli {

// "label      words words\n           words ...\n": wrapped at 88 columns, counting characters,
// not bytes.
std::string labelled_paragraph(std::string_view label, std::string_view text);

// Names come from files: none may steer the terminal. What would becomes '?'.
std::string printable(std::string text);

// Number of characters of UTF-8 text.
std::size_t display_width(std::string_view text);

// text, padded with spaces to `width` characters.
std::string padded(std::string_view text, std::size_t width);

}  // namespace sotto::cli
