#include "core/file_steps.h"

#include <fcntl.h>

#include <atomic>
#include <cerrno>

#include "core/atomic_file.h"
#include "core/file_descriptor.h"

namespace sotto {

namespace fs = std::filesystem;

namespace {

fs::path next_temporary_name() {
  static std::atomic<unsigned> count{0};
  return ".sotto-" + std::to_string(getpid()) + "-" + std::to_string(++count) + ".part";
}

}  // namespace

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

OpenTemporary create_temporary(const fs::path& destination, mode_t mode) {
  while (true) {
    auto path = folder_of(destination) / next_temporary_name();
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file >= 0) return {std::move(path), file};
    if (errno != EEXIST) throw FileError(destination, "cannot create", errno);
  }
}

void write_all(int file, std::string_view bytes, const fs::path& destination) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw FileError(destination, "cannot write", errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

// Some file systems know no fsync of a folder and say EINVAL: there is nothing more to be done.
void force_to_disk(const fs::path& path, int flags, const fs::path& destination) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | flags));
  if (!file.is_open() || (fsync(file.number()) != 0 && errno != EINVAL)) {
    throw FileError(destination, "cannot force to disk", errno);
  }
}

}  // namespace sotto
