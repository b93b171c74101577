// Values that others wrote, in our messages.
#pragma once

#include <string>
#include <string_view>

namespace sotto::data {

// The value between single quotes, on one line and no longer than a glance: control characters
// become '?', and what follows the first 60 bytes "...".
std::string quoted_value(std::string_view value);

}  // namespace sotto::data
