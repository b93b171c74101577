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

int open_ledger(const fs::path& path) {
  const int file = open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC);
  if (file < 0) throw FileError(path, "cannot open", errno);
  return file;
}

}  // namespace

LedgerFile::LedgerFile(const fs::path& path) : path_(path), file_(open_ledger(path)) {
  if (flock(file_.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) throw LedgerBusy(path_);
    throw FileError(path_, "cannot lock", errno);
  }
  struct stat status {};
  if (fstat(file_.number(), &status) != 0) throw FileError(path_, "cannot read", errno);
  if (!S_ISREG(status.st_mode)) throw FileError(path_, "not a regular file");
  // Somebody may have removed it before it was locked: charges to it would be seen by nobody.
  if (status.st_nlink == 0) throw FileError(path_, "was removed");
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

}  // namespace sotto
