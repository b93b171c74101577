// The parts of a line on a terminal that shows how far something is.
#pragma once

#include <string>

namespace sotto::cli {

inline constexpr int kBarWidth = 24;  // characters

// `done` of the whole, from 0 to 1; kBarWidth characters.
std::string bar_text(double done);
// "1:05", "2:00:01".
std::string duration_text(double seconds);

}  // namespace sotto::cli
