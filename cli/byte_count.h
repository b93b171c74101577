// Amounts of memory as people write them.
#pragma once

#include <string>

namespace sotto::cli {

// "1.5 MB": three digits.
std::string bytes_text(double bytes);

}  // namespace sotto::cli
