#include "plan/ledger_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "core/atomic_file.h"
#include "plan/ledger.h"
#include "sotto/core/error.h"

namespace sotto {

namespace {

namespace fs = std::filesystem;

int open_ledger(const fs::path& path, LedgerFile::Mode mode) {
  const bool is_new = mode == LedgerFile::Mode::kNew;
  const int file =
      open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC | (is_new ? O_CREAT | O_EXCL : 0), 0666);
  const int reason = errno;
  check_argument(file >= 0 || !is_new || reason != EEXIST, path.string(),
                 ": exists; accepted: a new name for a new run, or resuming this one");
  if (file < 0) throw FileError(path, is_new ? "cannot create" : "cannot open", reason);
  return file;
}

}  // namespace

LedgerFile::LedgerFile(const fs::path& path, Mode mode)
    : path_(path), file_(open_ledger(path, mode)) {
  if (flock(file_.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) throw LedgerBusy(path_);
    throw FileError(path_, "cannot lock", errno);
  }
  struct stat status {};
  if (fstat(file_.number(), &status) != 0) throw FileError(path_, "cannot read", errno);
  if (!S_ISREG(status.st_mode)) throw FileError(path_, "not a regular file");
  size_ = static_cast<std::size_t>(status.st_size);
}

// By descriptor, not by name: these are the bytes that are locked.
std::string LedgerFile::read_all() const {
  std::string bytes(size_, '\0');
  std::size_t size = 0;
  while (size < bytes.size()) {
    const ssize_t got =
        pread(file_.number(), bytes.data() + size, bytes.size() - size, static_cast<off_t>(size));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw FileError(path_, "cannot read", errno);
    if (got == 0) throw FileError(path_, "became shorter while it was read");
    size += static_cast<std::size_t>(got);
  }
  return bytes;
}

void LedgerFile::append(std::string_view bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written = write(file_.number(), bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int reason = errno;
      // If this fails too, the file ends in a torn line, which the next run cuts off.
      if (done > 0) static_cast<void>(!ftruncate(file_.number(), static_cast<off_t>(size_)));
      throw FileError(path_, "cannot write", reason);
    }
    done += static_cast<std::size_t>(written);
  }
  size_ += done;
}

void LedgerFile::cut_to(std::size_t size) {
  if (size == size_) return;
  if (ftruncate(file_.number(), static_cast<off_t>(size)) != 0) {
    throw FileError(path_, "cannot cut off a torn last line", errno);
  }
  size_ = size;
}

void LedgerFile::sync() const {
  if (fsync(file_.number()) != 0) throw FileError(path_, "cannot force to disk", errno);
}

// Some file systems know no fsync of a folder and say EINVAL: there is nothing more to be done.
void LedgerFile::sync_folder() const {
  const auto folder = path_.has_parent_path() ? path_.parent_path() : fs::path(".");
  const FileDescriptor file(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!file.is_open() || (fsync(file.number()) != 0 && errno != EINVAL)) {
    throw FileError(path_, "cannot force its folder to disk", errno);
  }
}

}  // namespace sotto
