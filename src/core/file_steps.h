// The steps by which a file comes to be whole, durable, and seen by others only then.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string_view>

namespace sotto {

// Relative to the working folder when the path has no folder of its own.
std::filesystem::path folder_of(const std::filesystem::path& path);

struct OpenTemporary {
  std::filesystem::path path;
  int descriptor;  // for writing; whoever asked for it closes it
};

// A new empty file in the folder of `destination`, with these permissions from its first moment (as
// far as the umask allows). What this user's processes left there is removed first, once in a
// process: of those that were killed on this machine, and whatever is older than a day. Throws
// FileError, naming the destination; so do the others.
OpenTemporary create_temporary(const std::filesystem::path& destination, mode_t mode);

// Whether create_temporary() makes such names.
bool is_temporary_name(std::string_view name);

void write_all(int file, std::string_view bytes, const std::filesystem::path& destination);

// Of what `path` names, a file or (with O_DIRECTORY among the flags) a folder.
void force_to_disk(const std::filesystem::path& path, int flags,
                   const std::filesystem::path& destination);

}  // namespace sotto
