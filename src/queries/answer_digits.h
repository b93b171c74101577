// Noised numbers with as many digits as mean something.
#pragma once

#include <string>

namespace sotto::queries {

enum class Rounding { kNearest, kDown, kUp };

// Two digits of the standard error, and the value to the same place: 3295 with an error of 126 is
// 3300, with one of 1.3 it is 3295.0. Without an error (0) the value has up to 12 decimals.
std::string to_the_error(double value, double standard_error,
                         Rounding rounding = Rounding::kNearest);

// For programs, which may compute with it: two digits more.
double near_the_error(double value, double standard_error, Rounding rounding = Rounding::kNearest);

// Three digits at least, without zeros behind the point, and no exponent where it can be helped.
std::string plain_number(double value);

}  // namespace sotto::queries
