// Keeps other processes that ask for it away from a folder.
#pragma once

#include <filesystem>

namespace sotto {

// The kernel gives the lock (flock) back when the process dies, and every child that inherited it.
class FolderLock {
 public:
  enum class Turn { kWait, kNow };

  // Waits for its turn, or throws FileError if it has to. Throws FileError if the folder cannot be
  // opened or locked.
  explicit FolderLock(const std::filesystem::path& folder, Turn turn = Turn::kWait);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace sotto
