#include "core/file_steps.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <mutex>
#include <set>

#include "core/atomic_file.h"
#include "core/file_descriptor.h"

namespace sotto {

namespace fs = std::filesystem;

namespace {

fs::path next_temporary_name() {
  static std::atomic<unsigned> count{0};
  return ".sotto-" + std::to_string(getpid()) + "-" + std::to_string(++count) + ".part";
}

bool is_still_at(const fs::path& path, int file) {
  struct stat there {};
  struct stat opened {};
  return lstat(path.c_str(), &there) == 0 && fstat(file, &opened) == 0 && S_ISREG(there.st_mode) &&
         there.st_dev == opened.st_dev && there.st_ino == opened.st_ino;
}

// Whoever writes a temporary file holds its lock until the file is in place.
void remove_if_abandoned(const fs::path& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.is_open() || flock(file.number(), LOCK_EX | LOCK_NB) != 0) return;
  if (is_still_at(path, file.number())) unlink(path.c_str());
}

void remove_abandoned(const fs::path& folder) {
  std::error_code ignored;
  for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    const auto& path = entry->path();
    if (is_temporary_name(path.filename().string())) remove_if_abandoned(path);
  }
}

bool is_first_time(const fs::path& folder) {
  static std::mutex mutex;
  static std::set<fs::path> known;
  const std::lock_guard lock(mutex);
  return known.insert(fs::absolute(folder)).second;
}

// False if somebody took it for abandoned in the moment before it was locked.
bool lock_new(int file) {
  struct stat status {};
  static_cast<void>(flock(file, LOCK_EX));  // where files cannot be locked, none is removed
  return fstat(file, &status) != 0 || status.st_nlink > 0;
}

}  // namespace

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

bool is_temporary_name(std::string_view name) {
  return name.starts_with(".sotto-") && name.ends_with(".part");
}

OpenTemporary create_temporary(const fs::path& destination, mode_t mode) {
  const auto folder = folder_of(destination);
  if (is_first_time(folder)) remove_abandoned(folder);
  while (true) {
    auto path = folder / next_temporary_name();
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file < 0 && errno == EEXIST) continue;
    if (file < 0) throw FileError(destination, "cannot create", errno);
    if (lock_new(file)) return {std::move(path), file};
    close(file);
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
