// Files for their owner alone: secrets and keys, made once and never replaced.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace sotto {

// Makes `path` with exactly `bytes`, readable by its owner alone (0600) from the start,
// unless there is such a name: then it is left as it is, and the answer is false. Of several
// processes that do this at once one succeeds, and all find its file whole, even after a power cut.
// What a killed one leaves behind under another name does not matter. Throws FileError.
bool create_private_file(const std::filesystem::path& path, std::string_view bytes);

// The whole content. Throws InvalidArgument, with the remedy, if the group or others may do
// anything with the file, and FileError if it cannot be read.
std::string read_private_file(const std::filesystem::path& path);

}  // namespace sotto
