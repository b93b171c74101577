#include "core/atomic_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>

#include "tests/core/temporary_folder.h"

namespace sotto {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::ptrdiff_t files_in(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

template <typename Action>
std::string file_error_of(Action action) {
  try {
    action();
  } catch (const FileError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(WriteFileAtomically, WritesAndReplacesAnyBytes) {
  const TemporaryFolder folder;
  const std::string bytes("a\0b\r\n\xff", 6);
  write_file_atomically(folder / "file", "a longer text that was there before");
  write_file_atomically(folder / "file", bytes);
  EXPECT_EQ(read_file(folder / "file"), bytes);
  write_file_atomically(folder / "file", "");
  EXPECT_EQ(read_file(folder / "file"), "");
  EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(WriteFileAtomically, FollowsALinkAndKeepsIt) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "file", "old");
  fs::create_symlink("file", folder / "link");
  write_file_atomically(folder / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(read_file(folder / "file"), "new");
}

TEST(WriteFileAtomically, NamesThePathWhenTheFolderIsAFile) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "file", "x");
  const auto path = folder / "file" / "inside";
  const auto message = file_error_of([&] { write_file_atomically(path, "y"); });
  EXPECT_EQ(message, path.string() + ": cannot create: Not a directory");
}

TEST(WriteFileAtomically, DoesNotReplaceWhatIsNoFile) {
  const TemporaryFolder folder;
  const auto message = file_error_of([&] { write_file_atomically(folder.path(), "y"); });
  EXPECT_THAT(message, HasSubstr("not a regular file"));
  EXPECT_THAT(file_error_of([] { write_file_atomically("/dev/full", "y"); }),
              HasSubstr("not a regular file"));
}

// While it lives, no file grows beyond `bytes`: a write fails as on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &before_);
    (void)std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST(WriteFileAtomically, KeepsTheOldFileWhenThereIsNoRoom) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "file", "old");
  std::string message;
  {
    const FileSizeLimit limit(1000);
    message =
        file_error_of([&] { write_file_atomically(folder / "file", std::string(5000, 'x')); });
  }
  EXPECT_THAT(message, HasSubstr((folder / "file").string() + ": cannot write: "));
  EXPECT_EQ(read_file(folder / "file"), "old");
  EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
  const TemporaryFolder folder;
  {
    AtomicFile file(folder / "model");
    std::ofstream(file.path()) << "weights";
    EXPECT_FALSE(fs::exists(folder / "model"));
    file.commit();
  }
  EXPECT_EQ(read_file(folder / "model"), "weights");
  EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(AtomicFile, LeavesNothingWhenAbandoned) {
  const TemporaryFolder folder;
  {
    const AtomicFile file(folder / "model");
    std::ofstream(file.path()) << "half of the wei";
    EXPECT_EQ(file.path().parent_path(), folder.path());
  }
  EXPECT_EQ(files_in(folder.path()), 0);
}

TEST(AtomicFile, FailsWhenItsTemporaryIsGone) {
  const TemporaryFolder folder;
  AtomicFile file(folder / "model");
  fs::remove(file.path());
  EXPECT_THAT(file_error_of([&] { file.commit(); }), HasSubstr("model: cannot force to disk: No"));
}

TEST(ReadFile, NamesThePath) {
  const TemporaryFolder folder;
  EXPECT_EQ(file_error_of([&] { read_file(folder / "none"); }),
            (folder / "none").string() + ": cannot open: No such file or directory");
  EXPECT_EQ(file_error_of([&] { read_file(folder.path()); }),
            folder.path().string() + ": cannot read: Is a directory");
}

TEST(ReadFile, ReadsFilesThatDoNotTellTheirSize) {
  EXPECT_THAT(read_file("/proc/self/status"), HasSubstr("Pid:"));
}

}  // namespace
}  // namespace sotto
