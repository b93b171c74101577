// Keeps other processes that ask for it away from a folder, for a moment.
#pragma once

#include <filesystem>

namespace sotto::cli {

// Waits for its turn (flock). The kernel gives it back if the process dies. Throws FileError if the
// folder cannot be opened or locked.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace sotto::cli
