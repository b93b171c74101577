// Numbers in text that somebody typed.
#pragma once

#include <optional>
#include <string>

namespace sotto {

// The number that the whole text says, e.g. "1e-5"; nothing if anything is left over, if it
// overflows, or if it is "nan" or "inf".
std::optional<double> finite_number(const std::string& text);

}  // namespace sotto
