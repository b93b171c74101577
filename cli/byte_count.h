// Amounts of memory as people write them.
#pragma once

#include <cstdint>
#include <string>

namespace sotto::cli {

// "2GiB", "500MB", "1048576". Throws UsageError, naming the flag.
std::int64_t bytes_flag(const std::string& flag, const std::string& text);

// "1.5 MB": three digits.
std::string bytes_text(double bytes);

}  // namespace sotto::cli
