// Decimal numbers that are equal, spelt the same.
#pragma once

#include <string>
#include <string_view>

namespace sotto::anonymity {

// "2", "+2.0" and "0.2e1" as "2e0"; "-0.00" as "0". Exact, whatever the number of digits. What is
// not a decimal number stays as it is.
std::string one_spelling(std::string_view text);

}  // namespace sotto::anonymity
