#include "core/memory_size.h"

#include <array>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <limits>
#include <utility>

#include "sotto/core/error.h"

namespace sotto {
namespace {

constexpr std::array<std::pair<std::string_view, double>, 9> kUnits = {{{"", 1},
                                                                        {"KB", 1e3},
                                                                        {"MB", 1e6},
                                                                        {"GB", 1e9},
                                                                        {"TB", 1e12},
                                                                        {"KiB", 0x1p10},
                                                                        {"MiB", 0x1p20},
                                                                        {"GiB", 0x1p30},
                                                                        {"TiB", 0x1p40}}};

}  // namespace

std::uint64_t memory_size(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  for (const auto& [name, bytes] : kUnits) {
    const bool sound = error == std::errc() && number * bytes >= 1 && number * bytes < 0x1p63;
    if (name == unit && sound) return static_cast<std::uint64_t>(number * bytes);
  }
  throw InvalidArgument("memory '" + std::string(text) +
                        "': expected a number and KiB, MiB, GiB, TiB, KB, MB, GB or TB");
}

std::string memory_text(std::uint64_t bytes) {
  const auto number = static_cast<double>(bytes);
  std::array<char, 40> text{};
  if (number < 0x1p30) {
    std::snprintf(text.data(), text.size(), "%.0f MiB", number / 0x1p20);
  } else {
    std::snprintf(text.data(), text.size(), "%.2f GiB", number / 0x1p30);
  }
  return text.data();
}

std::uint64_t available_memory() {
  std::ifstream info("/proc/meminfo");
  std::string key;
  std::uint64_t kibibytes = 0;
  while (info >> key >> kibibytes) {
    if (key == "MemAvailable:") return kibibytes * 1024;
    info.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return std::numeric_limits<std::uint64_t>::max();  // unknown: no limit
}

}  // namespace sotto
