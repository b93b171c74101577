#include "core/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "core/atomic_file.h"

namespace sotto {

FolderLock::FolderLock(const std::filesystem::path& folder, Turn turn)
    : descriptor_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0) throw FileError(folder, "cannot open", errno);
  while (flock(descriptor_, LOCK_EX | (turn == Turn::kNow ? LOCK_NB : 0)) != 0) {
    if (errno == EINTR) continue;
    const int reason = errno;
    close(descriptor_);
    if (reason == EWOULDBLOCK) throw FileError(folder, "another process is working in this folder");
    throw FileError(folder, "cannot lock", reason);
  }
}

FolderLock::~FolderLock() { close(descriptor_); }

}  // namespace sotto
