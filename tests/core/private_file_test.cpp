#include "core/private_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "core/atomic_file.h"
#include "core/file_descriptor.h"
#include "core/file_steps.h"
#include "sotto/core/error.h"
#include "tests/core/temporary_folder.h"

namespace sotto {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

unsigned mode_of(const fs::path& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 ? status.st_mode & 07777U : 0;
}

std::ptrdiff_t files_in(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

// Other permissions than the shell's, until the test ends.
class Umask {
 public:
  explicit Umask(mode_t mask) : before_(umask(mask)) {}
  ~Umask() { umask(before_); }
  Umask(const Umask&) = delete;
  Umask& operator=(const Umask&) = delete;

 private:
  mode_t before_;
};

// Runs in a process of its own, which begins when `start` is closed by everybody else.
template <typename Action>
pid_t at_the_signal(const std::array<int, 2>& start, Action action) {
  const pid_t child = fork();
  if (child != 0) return child;
  close(start[1]);
  char nothing = 0;
  static_cast<void>(read(start[0], &nothing, 1) + 1);
  try {
    action();
    _exit(0);
  } catch (...) {
    _exit(1);
  }
}

// Makes the file unless it is there, and writes down what it then found in it.
void make_and_tell(const fs::path& secret, const std::string& mine, const fs::path& told) {
  if (!fs::exists(secret)) create_private_file(secret, mine);
  std::ofstream(told) << read_private_file(secret);
}

TEST(PrivateFile, IsMadeOnce) {
  const TemporaryFolder folder;
  EXPECT_TRUE(create_private_file(folder / "key", "first"));
  EXPECT_FALSE(create_private_file(folder / "key", "second"));
  EXPECT_EQ(read_private_file(folder / "key"), "first");
  EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(PrivateFile, WhoComesFirstWinsAndAllReadItsFile) {
  const TemporaryFolder folder;
  const std::string long_text(5000, 'x');  // half of it would be seen
  for (int pair = 0; pair < 200; ++pair) {
    const auto name = [&](const char* kind) { return folder / (kind + std::to_string(pair)); };
    std::array<int, 2> start{};
    ASSERT_EQ(pipe(start.data()), 0);
    std::array<pid_t, 2> children{};
    for (int i = 0; i < 2; ++i) {
      children[i] = at_the_signal(start, [&] {
        make_and_tell(name("key"), std::to_string(i) + long_text, name(i == 0 ? "a" : "b"));
      });
    }
    close(start[0]);
    close(start[1]);
    for (const auto child : children) {
      int status = -1;
      waitpid(child, &status, 0);
      ASSERT_EQ(status, 0);
    }
    const std::string winner = read_file(name("key"));
    ASSERT_EQ(winner.size(), long_text.size() + 1);
    ASSERT_EQ(read_file(name("a")), winner);
    ASSERT_EQ(read_file(name("b")), winner);
  }
}

TEST(PrivateFile, IsForItsOwnerAloneWhateverTheUmask) {
  const TemporaryFolder folder;
  for (const mode_t mask : {0U, 022U, 0777U}) {
    const Umask other(mask);
    const auto path = folder / ("key" + std::to_string(mask));
    ASSERT_TRUE(create_private_file(path, "secret"));
    EXPECT_EQ(mode_of(path), 0600U) << mask;
  }
}

// Whatever name it bears, from its first moment on.
TEST(PrivateFile, NobodyElseCanReadItWhileItIsMade) {
  const TemporaryFolder folder;
  const Umask none(0);
  std::atomic<bool> done{false};
  std::atomic<int> seen{0};
  std::atomic<int> open_to_others{0};
  std::thread watcher([&] {
    while (!done) {
      std::error_code error;
      for (fs::directory_iterator i(folder.path(), error), end; !error && i != end;
           i.increment(error)) {
        ++seen;
        if ((mode_of(i->path()) & 077U) != 0) ++open_to_others;
      }
    }
  });
  for (int i = 0; i < 300; ++i) {
    create_private_file(folder / "key", "secret");
    fs::remove(folder / "key");
  }
  done = true;
  watcher.join();
  EXPECT_GT(seen, 0);
  EXPECT_EQ(open_to_others, 0);
}

TEST(PrivateFile, RefusesWhatOthersMayUse) {
  const TemporaryFolder folder;
  create_private_file(folder / "key", "secret");
  for (const mode_t mode : {0644U, 0640U, 0604U, 0620U, 0660U}) {
    ASSERT_EQ(chmod((folder / "key").c_str(), mode), 0);
    try {
      read_private_file(folder / "key");
      FAIL() << "mode " << mode << " was accepted";
    } catch (const InvalidArgument& error) {
      EXPECT_THAT(error.what(), HasSubstr((folder / "key").string() + ": has mode 0"));
      EXPECT_THAT(error.what(), HasSubstr("chmod 600"));
    }
  }
  ASSERT_EQ(chmod((folder / "key").c_str(), 0400), 0);
  EXPECT_EQ(read_private_file(folder / "key"), "secret");
}

// In a process of its own, which ends without cleaning up.
template <typename Work>
void in_a_child(Work work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
}

TEST(PrivateFile, LeftoversOfKilledProcessesAreRemoved) {
  const TemporaryFolder folder;
  in_a_child([&] { static_cast<void>(create_temporary(folder / "key", 0600)); });
  const auto of_another_machine = folder / ".sotto-0123456789abcdef-7-1.part";
  const auto old = folder / ".sotto-7-1.part";
  const auto not_ours = folder / ".sotto-notes.part";
  for (const auto& path : {of_another_machine, old, not_ours}) std::ofstream(path) << "half a sec";
  fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(25));
  fs::last_write_time(not_ours, fs::file_time_type::clock::now() - std::chrono::hours(25));
  ASSERT_EQ(files_in(folder.path()), 4);
  EXPECT_TRUE(create_private_file(folder / "key", "secret"));
  EXPECT_EQ(read_private_file(folder / "key"), "secret");
  EXPECT_TRUE(fs::exists(of_another_machine) && fs::exists(not_ours));
  EXPECT_EQ(files_in(folder.path()), 3);
}

TEST(PrivateFile, WhatALivingProcessIsWritingStays) {
  const TemporaryFolder folder;
  const auto ours = create_temporary(folder / "key", 0600);
  const FileDescriptor file(ours.descriptor);
  in_a_child([&] {
    // As though nobody had looked here before.
    if (chdir(folder.path().c_str()) != 0 || !create_private_file("key", "secret")) _exit(1);
  });
  EXPECT_TRUE(fs::exists(ours.path));
}

TEST(PrivateFile, SaysWhatIsNotThere) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_private_file(folder / "nothing"), FileError);
  EXPECT_THROW(create_private_file(folder / "no" / "folder", "x"), FileError);
  fs::create_symlink(folder / "nowhere", folder / "link");
  EXPECT_FALSE(create_private_file(folder / "link", "x"));  // a name that is taken
  EXPECT_THROW(read_private_file(folder / "link"), FileError);
}

}  // namespace
}  // namespace sotto
