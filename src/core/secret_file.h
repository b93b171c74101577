// A secret of 32 random bytes in a file of its own: drawn once, and from then on the same for all.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/atomic_file.h"

namespace sotto {

inline constexpr std::size_t kSecretBytes = 32;

// The folder takes no new file from us.
class FolderNotWritable : public FileError {
 public:
  using FileError::FileError;
};

// The secret in `path`; nothing if there is no such file. Throws InvalidArgument unless it is a
// regular file of kSecretBytes that nobody but its owner may read or write; FileError if it cannot
// be read.
std::optional<std::string> read_secret(const std::filesystem::path& path);

// The secret in `path`, drawn now (SecureRandom) if there is none. The file appears whole, on the
// disk, with mode 0600, and never replaces another: of several processes that draw at once one
// wins, and all return its secret. Throws as read_secret; FolderNotWritable if the folder cannot be
// written to or knows no hard links, FileError for every other failure of the disk.
std::string read_or_draw_secret(const std::filesystem::path& path);

}  // namespace sotto
