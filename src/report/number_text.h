// Numbers as people write them.
#pragma once

#include <string>

namespace sotto::report {

// At most six significant digits, and no more than are needed: "0.8", "1e-5", "60 000" (with a
// space that does not break), "2.5e7". Infinities are "∞" and "-∞".
std::string number_text(double value);

// Likewise, with as many decimals as multiples of `step` have. In percent if `percent`.
// REQUIRES: step > 0.
std::string tick_text(double value, double step, bool percent);

}  // namespace sotto::report
