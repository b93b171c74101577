// The file with the secret that those of all clients are derived from.
#pragma once

#include <optional>
#include <string>

#include "core/folder_lock.h"

namespace sotto::rappor {

// Whoever encodes first makes it; all others of the same file read that one. One that was made here
// is gone again if nothing was reported by it: until then others wait for it.
class MasterSecret {
 public:
  // Throws FileError.
  explicit MasterSecret(const std::string& path);
  ~MasterSecret();
  MasterSecret(const MasterSecret&) = delete;
  MasterSecret& operator=(const MasterSecret&) = delete;

  // For ClientSecrets. Throws FileError, or InvalidArgument for a file that holds none.
  std::string read() const;

  // To be called before reports are there for others to see. Returns whether it was made here.
  bool keep();

 private:
  void wait_for_turn();

  std::string path_;
  std::optional<FolderLock> turn_;  // outlives the removal
  bool made_ = false;
};

}  // namespace sotto::rappor
