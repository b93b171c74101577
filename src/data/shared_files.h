// Whether two places hold a file in common.
#pragma once

#include <filesystem>

namespace sotto::data {

// Whether a file of one (a file, or a folder with all that is in it but hidden) is also a file of
// the other, under any name and by a link of any kind. Copies are other files; what is not there
// has none. Throws FileError if a folder cannot be read.
bool share_a_file(const std::filesystem::path& one, const std::filesystem::path& other);

}  // namespace sotto::data
