#include "core/private_file.h"

#include <sys/stat.h>

#include <cerrno>

#include "core/atomic_file.h"
#include "core/file_mode.h"
#include "core/whole_file.h"
#include "sotto/core/error.h"

namespace sotto {

namespace fs = std::filesystem;

namespace {

constexpr mode_t kOfOthers = S_IRWXG | S_IRWXO;

}  // namespace

bool create_private_file(const fs::path& path, std::string_view bytes) {
  return create_whole_file(path, bytes, Readers::kOwner);
}

std::string read_private_file(const fs::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) throw FileError(path, "cannot open", errno);
  check_argument((status.st_mode & kOfOthers) == 0, path.string(), ": has mode ",
                 octal(status.st_mode),
                 ", so that the group or others may use it; expected a secret that only its owner "
                 "can read: chmod 600 ",
                 path.string());
  return read_file(path);
}

}  // namespace sotto
