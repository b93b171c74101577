// What is known of the terminal that somebody sits at.
#pragma once

#include <cstddef>
#include <optional>

namespace sotto::cli {

// Characters in a line: the variable COLUMNS where it holds a whole number above 0, or what the
// terminal behind the file descriptor says; nothing if there is neither.
std::optional<std::size_t> terminal_columns(int descriptor);

// Whether stderr is a terminal, and not a dumb one (TERM), so that a line can be drawn anew.
bool redraws_lines();
// Whether escape codes may go to stderr: it redraws lines, and the variable NO_COLOR is not set to
// anything.
bool takes_escape_codes();

}  // namespace sotto::cli
