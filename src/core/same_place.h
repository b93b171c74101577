// Paths that lead to one place.
#pragma once

#include <filesystem>

namespace sotto {

// Whether both lead to one file or folder, whether it is there or not, by links of any kind.
bool is_same_place(const std::filesystem::path& one, const std::filesystem::path& other);

}  // namespace sotto
