// What --help prints, fitted to the width of the terminal.
#pragma once

#include <cstddef>
#include <string>

namespace sotto::cli {

// The text behind the flags. Paragraphs are wrapped; a line that begins with spaces is kept, or, if
// it is a command (`sotto ...`) that does not fit, continued with a backslash, so that it can still
// be copied.
std::string fitted_footer(const std::string& text, std::size_t columns);

}  // namespace sotto::cli
