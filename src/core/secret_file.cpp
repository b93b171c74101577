#include "core/secret_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "core/file_descriptor.h"
#include "core/file_mode.h"
#include "core/private_file.h"
#include "sotto/core/error.h"
#include "sotto/core/random.h"

namespace sotto {

namespace {

namespace fs = std::filesystem;

void check_hidden(const fs::path& path, const struct stat& status) {
  check_argument(S_ISREG(status.st_mode), path.string(),
                 ": not a regular file, must be a secret of ", kSecretBytes, " bytes");
  check_argument(
      (status.st_mode & 077U) == 0, path.string(), ": has mode ", octal(status.st_mode),
      ", so that others than its owner may use this secret; accepted: mode 0600 (chmod 600 ",
      path.string(), ")");
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

bool folder_refuses(int reason) {
  return reason == EACCES || reason == EROFS || reason == EPERM || reason == ENOTSUP ||
         reason == EMLINK;
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
  try {
    create_private_file(path, draw_secret());  // or somebody else was quicker
  } catch (const FileError& error) {
    if (!folder_refuses(error.error_number())) throw;
    throw FolderNotWritable(path, "cannot be made", error.error_number());
  }
  auto secret = read_secret(path);
  if (!secret) throw FileError(path, "was removed while it was read");
  return *std::move(secret);
}

}  // namespace sotto
