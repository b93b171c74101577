#include "core/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "core/atomic_file.h"
#include "core/file_descriptor.h"
#include "core/file_steps.h"

namespace sotto {

namespace fs = std::filesystem;

namespace {

constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;
constexpr mode_t kAnybody = 0666;

// A file that is gone when nobody needs it any more.
class Temporary {
 public:
  Temporary(const fs::path& destination, mode_t mode)
      : temporary_(create_temporary(destination, mode)), file_(temporary_.descriptor) {}
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

bool create_whole_file(const fs::path& path, std::string_view bytes, Readers readers) {
  const bool owner_only = readers == Readers::kOwner;
  const Temporary temporary(path, owner_only ? kOwnerOnly : kAnybody);
  // A umask may have taken permissions away from the owner.
  if (owner_only && fchmod(temporary.descriptor(), kOwnerOnly) != 0) {
    throw FileError(path, "cannot write", errno);
  }
  write_all(temporary.descriptor(), bytes, path);
  force_to_disk(temporary.path(), 0, path);
  // Unlike a rename, a second name is given only where there is none.
  const bool made = link(temporary.path().c_str(), path.c_str()) == 0;
  if (!made && errno != EEXIST) throw FileError(path, "cannot create", errno);
  force_to_disk(folder_of(path), O_DIRECTORY, path);
  return made;
}

}  // namespace sotto
