// IDX files for tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sotto::data {

inline std::string idx_bytes(const std::vector<std::uint32_t>& extents, const std::string& values) {
  std::string bytes{'\0', '\0', '\x08', static_cast<char>(extents.size())};
  for (const std::uint32_t extent : extents) {
    for (const unsigned shift : {24U, 16U, 8U, 0U}) bytes += static_cast<char>(extent >> shift);
  }
  return bytes + values;
}

}  // namespace sotto::data
