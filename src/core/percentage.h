// Shares in percent, which never claim by rounding what is not so.
#pragma once

#include <string>

namespace sotto {

// To which side a number may be rounded: bounds from above up, from below down.
enum class Rounding { kNearest, kUp, kDown };

// "73.2 %", with so many decimals. What is less than certain never reads 100 %, and what is more
// than impossible never 0 %: there are more decimals where these are needed, or "more than 99.9999
// %" (of a bound from above: "just under 100 %") and "less than 0.0001 %" where they would be too
// many.
std::string percentage(double share, int decimals, Rounding rounding = Rounding::kNearest);

// Likewise with so many significant digits, without zeros at the end: "0.77 %", "20.1 %", "30 %".
std::string short_percentage(double share, int digits, Rounding rounding = Rounding::kNearest);

// For what a finite ε keeps below 1, even where its number came out as 1.
double less_than_certain(double share);

}  // namespace sotto
