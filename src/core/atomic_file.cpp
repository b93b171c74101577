#include "core/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "core/file_descriptor.h"
#include "core/file_steps.h"

namespace sotto {

namespace {

namespace fs = std::filesystem;

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

// With the permissions of the file that it will replace.
fs::path create_empty(const fs::path& destination) {
  const auto temporary = create_temporary(destination, 0666);
  const FileDescriptor file(temporary.descriptor);
  struct stat replaced {};
  if (stat(destination.c_str(), &replaced) == 0) {
    static_cast<void>(!fchmod(file.number(), (replaced.st_mode & 0777) | S_IWUSR));
  }
  return temporary.path;
}

}  // namespace

FileError::FileError(const fs::path& path, const std::string& what_failed, int error_number)
    : FileError(path, what_failed + ": " + std::strerror(error_number)) {
  error_number_ = error_number;
}

FileError::FileError(const fs::path& path, const std::string& what_failed)
    : std::runtime_error(path.string() + ": " + what_failed) {}

AtomicFile::AtomicFile(const fs::path& destination)
    : destination_(resolve_destination(destination)), temporary_(create_empty(destination_)) {}

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
