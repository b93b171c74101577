// The bytes of a pickle, read from front to back.
#pragma once

#include <cstdint>
#include <string_view>

#include "sotto/core/error.h"

namespace sotto::weights {

class PickleInput {
 public:
  explicit PickleInput(std::string_view bytes) : rest_(bytes) {}

  bool is_empty() const { return rest_.empty(); }

  // Throws InvalidArgument if fewer are left; so do all below.
  std::string_view take(std::uint64_t count) {
    check_argument(count <= rest_.size(), "its pickle ends too early");
    const auto taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  std::uint8_t byte() { return static_cast<std::uint8_t>(take(1)[0]); }

  // Little-endian, of one to eight bytes.
  std::uint64_t number(std::uint64_t bytes) {
    std::uint64_t value = 0;
    std::uint64_t shift = 0;
    for (const char c : take(bytes)) {
      value |= std::uint64_t{static_cast<std::uint8_t>(c)} << shift;
      shift += 8;
    }
    return value;
  }
  // Without its end.
  std::string_view line() {
    const auto end = rest_.find('\n');
    check_argument(end != std::string_view::npos, "its pickle ends too early");
    const auto taken = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return taken;
  }

 private:
  std::string_view rest_;
};

}  // namespace sotto::weights
