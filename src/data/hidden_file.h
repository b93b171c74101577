#pragma once

#include <filesystem>

namespace sotto::data {

// As shells have it: names that begin with a dot.
inline bool is_hidden(const std::filesystem::path& path) {
  return path.filename().string().starts_with('.');
}

}  // namespace sotto::data
