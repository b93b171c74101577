// Enumerators by the names that people know them by.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "sotto/core/error.h"

namespace sotto::settings {

// The one among `values` that to_string() calls `text`. Throws InvalidArgument, naming the accepted
// spellings, if there is none; `what` is what is chosen.
template <typename Enum, std::size_t N>
Enum from_name(const std::array<Enum, N>& values, std::string_view text, const char* what) {
  std::string accepted;
  for (const auto value : values) {
    if (to_string(value) == text) return value;
    accepted += (accepted.empty() ? "" : ", ") + std::string(to_string(value));
  }
  throw InvalidArgument(std::string(what) + " '" + std::string(text) + "': accepted are " +
                        accepted);
}

}  // namespace sotto::settings
