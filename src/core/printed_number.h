// Numbers as text, one way for every page and table.
#pragma once

#include <string>

namespace sotto {

// At most so many significant digits, and no zeros behind them: "0.5", "1e-05", "12.35".
std::string significant(double value, int digits);

// Exactly so many decimals: "12.30".
std::string with_decimals(double value, int decimals);

}  // namespace sotto
