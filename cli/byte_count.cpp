#include "cli/byte_count.h"

#include <cmath>
#include <cstdio>

#include "cli/flags.h"
#include "sotto/sweep/memory_size.h"

namespace sotto::cli {

std::int64_t bytes_flag(const std::string& flag, const std::string& text) {
  return static_cast<std::int64_t>(
      named_flag(flag, text, sweep::memory_size, "an amount such as 2GiB, 500MB or 1e6 (bytes)"));
}

std::string bytes_text(double bytes) {
  const char* const units[] = {"B", "kB", "MB", "GB", "TB"};
  int unit = 0;
  while (std::abs(bytes) >= 999.5 && unit < 4) {
    bytes /= 1000;
    ++unit;
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.3g %s", bytes, units[unit]);
  return text;
}

}  // namespace sotto::cli
