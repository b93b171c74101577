#include "core/secret_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "core/file_descriptor.h"
#include "sotto/core/error.h"
#include "sotto/core/random.h"

namespace sotto {

namespace {

namespace fs = std::filesystem;

std::string octal(mode_t mode) {
  char text[16];
  std::snprintf(text, sizeof text, "%04o", static_cast<unsigned>(mode & 07777U));
  return text;
}

void check_hidden(const fs::path& path, const struct stat& status) {
  check_argument(S_ISREG(status.st_mode), path.string(),
                 ": not a regular file, must be a secret of ", kSecretBytes, " bytes");
  check_argument((status.st_mode & 077U) == 0, path.string(), ": has mode ", octal(status.st_mode),
                 ", so that others than its owner may use this secret; accepted: mode 0600");
}

// At most one byte more than a secret has.
std::string read_start(int file, const fs::path& path) {
  std::string bytes(kSecretBytes + 1, '\0');
  std::size_t size = 0;
  while (size < bytes.size()) {
    const ssize_t got = read(file, bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw FileError(path, "cannot read", errno);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  bytes.resize(size);
  return bytes;
}

std::string draw_secret() {
  SecureRandom random;
  std::string secret(kSecretBytes, '\0');
  for (std::size_t at = 0; at < secret.size(); at += sizeof(std::uint64_t)) {
    const std::uint64_t word = random();
    std::memcpy(secret.data() + at, &word, sizeof word);
  }
  return secret;
}

[[noreturn]] void throw_not_made(const fs::path& path, int reason) {
  const bool folder_refuses = reason == EACCES || reason == EROFS || reason == EPERM ||
                              reason == ENOTSUP || reason == EMLINK;
  if (folder_refuses) throw FolderNotWritable(path, "cannot be made", reason);
  throw FileError(path, "cannot be made", reason);
}

// A file of mode 0600 beside `path`, removed with the object.
class Draft {
 public:
  explicit Draft(const fs::path& path) : path_(path), name_(path), file_(create()) {
    if (!file_.is_open()) throw_not_made(path, errno);
  }
  ~Draft() { unlink(name_.c_str()); }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  void write(const std::string& secret) const {
    const ssize_t written = ::write(file_.number(), secret.data(), secret.size());
    if (written < 0) throw_not_made(path_, errno);
    if (static_cast<std::size_t>(written) < secret.size()) throw_not_made(path_, ENOSPC);
    if (fsync(file_.number()) != 0) throw_not_made(path_, errno);
  }

  // False if somebody else's file is there already.
  bool publish() const {
    if (link(name_.c_str(), path_.c_str()) == 0) return true;
    if (errno != EEXIST) throw_not_made(path_, errno);
    return false;
  }

 private:
  // Names left over by a process that had the same id are skipped.
  int create() {
    static std::atomic<unsigned> count{0};
    int file = -1;
    do {
      name_ = path_;
      name_ += "-" + std::to_string(getpid()) + "-" + std::to_string(++count) + ".part";
      file = open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    } while (file < 0 && errno == EEXIST);
    return file;
  }

  fs::path path_;
  fs::path name_;
  FileDescriptor file_;
};

// Some file systems know no fsync of a folder: there is nothing more to be done.
void force_name_to_disk(const fs::path& path) {
  const auto folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const FileDescriptor file(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!file.is_open() || (fsync(file.number()) != 0 && errno != EINVAL)) {
    throw FileError(path, "cannot force to disk", errno);
  }
}

}  // namespace

std::optional<std::string> read_secret(const fs::path& path) {
  // A pipe must not keep us waiting.
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open() && errno == ENOENT) return std::nullopt;
  struct stat status {};
  if (!file.is_open() || fstat(file.number(), &status) != 0) {
    throw FileError(path, "cannot open", errno);
  }
  check_hidden(path, status);
  auto secret = read_start(file.number(), path);
  check_argument(secret.size() == kSecretBytes, path.string(), ": damaged, must be a secret of ",
                 kSecretBytes, " bytes");
  return secret;
}

std::string read_or_draw_secret(const fs::path& path) {
  if (auto secret = read_secret(path)) return *std::move(secret);
  {
    const Draft draft(path);
    const std::string secret = draw_secret();
    draft.write(secret);
    const bool won = draft.publish();
    force_name_to_disk(path);
    if (won) return secret;
  }
  auto winner = read_secret(path);
  if (!winner) throw FileError(path, "was removed while it was read");
  return *std::move(winner);
}

}  // namespace sotto
