#include "core/private_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>

#include "core/atomic_file.h"
#include "core/file_descriptor.h"
#include "core/file_mode.h"
#include "core/file_steps.h"
#include "sotto/core/error.h"

namespace sotto {

namespace fs = std::filesystem;

namespace {

constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;
constexpr mode_t kOfOthers = S_IRWXG | S_IRWXO;

// A file that is gone when nobody needs it any more.
class Temporary {
 public:
  explicit Temporary(const fs::path& destination)
      : temporary_(create_temporary(destination, kOwnerOnly)), file_(temporary_.descriptor) {}
  ~Temporary() { unlink(temporary_.path.c_str()); }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  const fs::path& path() const { return temporary_.path; }
  int descriptor() const { return file_.number(); }

 private:
  OpenTemporary temporary_;
  FileDescriptor file_;
};

}  // namespace

bool create_private_file(const fs::path& path, std::string_view bytes) {
  const Temporary temporary(path);
  // A umask may have taken permissions away from the owner.
  if (fchmod(temporary.descriptor(), kOwnerOnly) != 0) throw FileError(path, "cannot write", errno);
  write_all(temporary.descriptor(), bytes, path);
  force_to_disk(temporary.path(), 0, path);
  // Unlike a rename, a second name is given only where there is none.
  const bool made = link(temporary.path().c_str(), path.c_str()) == 0;
  if (!made && errno != EEXIST) throw FileError(path, "cannot create", errno);
  force_to_disk(folder_of(path), O_DIRECTORY, path);
  return made;
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
