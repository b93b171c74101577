// Whether two places hold a file in common.
#pragma once

#include <filesystem>

namespace sotto::data {

// Whether a file of one, a file or all in a folder, is the same as a file of the other: under any
// name, by a link of any kind. Copies are others. What is not there has no files.
bool share_a_file(const std::filesystem::path& one, const std::filesystem::path& other);

}  // namespace sotto::data
