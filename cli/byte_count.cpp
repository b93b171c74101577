#include "cli/byte_count.h"

#include <cmath>
#include <cstdio>
#include <map>

#include "cli/flags.h"

namespace sotto::cli {
namespace {

const std::map<std::string, double>& byte_units() {
  static const std::map<std::string, double> units{
      {"", 1},      {"B", 1},        {"kB", 1e3},     {"KB", 1e3},     {"MB", 1e6},    {"GB", 1e9},
      {"TB", 1e12}, {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40}};
  return units;
}

}  // namespace

std::int64_t bytes_flag(const std::string& flag, const std::string& text) {
  constexpr const char* kAccepted = "an amount of memory such as 2GiB, 500MB or 1000000";
  const auto end = text.find_first_not_of("0123456789.");
  const auto number = text.substr(0, end);
  auto unit = end == std::string::npos ? std::string() : text.substr(end);
  unit.erase(0, unit.find_first_not_of(' '));
  const auto found = byte_units().find(unit);
  if (number.empty() || found == byte_units().end()) {
    throw UsageError(flag + " '" + text + "': expected " + kAccepted);
  }
  const double amount = number_flag(flag, number, {0, false, 1e15, true, kAccepted});
  const double bytes = std::floor(amount * found->second);
  if (bytes < 1 || bytes > 0x1p60) {
    throw UsageError(flag + " '" + text + "': expected " + kAccepted);
  }
  return static_cast<std::int64_t>(bytes);
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
