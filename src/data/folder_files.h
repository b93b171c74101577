// The files that a folder holds.
#pragma once

#include <filesystem>
#include <vector>

namespace sotto::data {

// All regular files below the folder, sorted; hidden ones are left out, links are followed. Throws
// std::filesystem::filesystem_error if it cannot be read.
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder);

}  // namespace sotto::data
