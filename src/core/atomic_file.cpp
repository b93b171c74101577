#include "sotto/core/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <cstring>

#include "core/file_descriptor.h"

namespace sotto {

namespace {

namespace fs = std::filesystem;

// Relative to the working folder when the path has no folder of its own.
fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// The file that a write to `path` would change. A device or a folder is refused: a rename would
// replace it.
fs::path resolve_destination(const fs::path& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) return path;
  if (!fs::is_regular_file(status)) {
    throw FileError(path, "cannot be replaced: not a regular file");
  }
  return fs::is_symlink(fs::symlink_status(path, error)) ? fs::canonical(path) : path;
}

fs::path next_temporary_name() {
  static std::atomic<unsigned> count{0};
  return ".sotto-" + std::to_string(getpid()) + "-" + std::to_string(++count) + ".part";
}

// Names left over by a process that had the same id are skipped.
fs::path create_temporary(const fs::path& destination) {
  while (true) {
    auto path = folder_of(destination) / next_temporary_name();
    const FileDescriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file.is_open()) return path;
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

}  // namespace

FileError::FileError(const fs::path& path, const std::string& what_failed, int error_number)
    : FileError(path, what_failed + ": " + std::strerror(error_number)) {}

FileError::FileError(const fs::path& path, const std::string& what_failed)
    : std::runtime_error(path.string() + ": " + what_failed) {}

AtomicFile::AtomicFile(const fs::path& destination)
    : destination_(resolve_destination(destination)), temporary_(create_temporary(destination_)) {}

AtomicFile::~AtomicFile() {
  std::error_code ignored;
  if (!committed_) fs::remove(temporary_, ignored);
}

void AtomicFile::commit() {
  force_to_disk(temporary_, 0, destination_);
  if (rename(temporary_.c_str(), destination_.c_str()) != 0) {
    throw FileError(destination_, "cannot replace", errno);
  }
  committed_ = true;
  force_to_disk(folder_of(destination_), O_DIRECTORY, destination_);
}

void write_file_atomically(const fs::path& path, std::string_view bytes) {
  AtomicFile file(path);
  {
    const FileDescriptor temporary(open(file.path().c_str(), O_WRONLY | O_CLOEXEC));
    if (!temporary.is_open()) throw FileError(path, "cannot write", errno);
    write_all(temporary.number(), bytes, path);
  }
  file.commit();
}

std::string read_file(const fs::path& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (!file.is_open() || fstat(file.number(), &status) != 0) {
    throw FileError(path, "cannot open", errno);
  }
  // One byte more than promised, so that an unchanged file ends with a short read; files that
  // promise nothing (pipes, /proc) grow the buffer.
  std::string bytes(static_cast<std::size_t>(status.st_size) + 1, '\0');
  std::size_t size = 0;
  while (true) {
    const ssize_t got = read(file.number(), bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw FileError(path, "cannot read", errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
    if (size == bytes.size()) bytes.resize(2 * size);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace sotto
