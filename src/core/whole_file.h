// Files that are whole from the moment they have a name, and never take another's place.
#pragma once

#include <filesystem>
#include <string_view>

namespace sotto {

enum class Readers {
  kOwner,  // alone: mode 0600, whatever the umask
  kUmask,  // whoever the umask lets
};

// Makes `path` with exactly `bytes`, unless there is such a name: then it is left as it is, and the
// answer is false. Of several processes that do this at once one succeeds, and all find its file
// whole, even after a power cut. What a killed one leaves behind under another name does not
// matter. Throws FileError; the file may be there then if all but the last step succeeded.
bool create_whole_file(const std::filesystem::path& path, std::string_view bytes, Readers readers);

}  // namespace sotto
