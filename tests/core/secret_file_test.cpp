#include "core/secret_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "sotto/core/error.h"
#include "tests/core/temporary_folder.h"

namespace sotto {
namespace {

namespace fs = std::filesystem;

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(SecretFile, IsDrawnOnceForItsOwner) {
  const TemporaryFolder folder;
  EXPECT_FALSE(read_secret(folder / "key"));
  const auto secret = read_or_draw_secret(folder / "key");
  EXPECT_EQ(secret.size(), kSecretBytes);
  EXPECT_EQ(read_or_draw_secret(folder / "key"), secret);
  EXPECT_EQ(read_secret(folder / "key"), secret);
  EXPECT_NE(read_or_draw_secret(folder / "other"), secret);
  struct stat status {};
  ASSERT_EQ(stat((folder / "key").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0600U);
  EXPECT_EQ(files_in(folder.path()), 2U);
}

// Whatever the process's mask lets through.
TEST(SecretFile, IsNobodyElsesUnderAnyMask) {
  const TemporaryFolder folder;
  const auto before = umask(0);
  const auto secret = read_or_draw_secret(folder / "key");
  umask(before);
  EXPECT_EQ(read_secret(folder / "key"), secret);
}

TEST(SecretFile, RefusesWhatOthersMayUse) {
  const TemporaryFolder folder;
  static_cast<void>(read_or_draw_secret(folder / "key"));
  for (const mode_t mode : {0644U, 0640U, 0604U, 0620U}) {
    ASSERT_EQ(chmod((folder / "key").c_str(), mode), 0);
    try {
      static_cast<void>(read_or_draw_secret(folder / "key"));
      ADD_FAILURE() << mode;
    } catch (const InvalidArgument& refusal) {
      const std::string what = refusal.what();
      EXPECT_EQ(what.find((folder / "key").string() + ": has mode 06"), 0U) << what;
      EXPECT_NE(what.find("chmod 600 " + (folder / "key").string()), std::string::npos) << what;
      EXPECT_EQ(what.find('\n'), std::string::npos);
    }
  }
}

TEST(SecretFile, RefusesWhatIsNoSecret) {
  const TemporaryFolder folder;
  for (const std::size_t size : {0U, 31U, 33U}) {
    write_file_atomically(folder / "key", std::string(size, 'x'));
    ASSERT_EQ(chmod((folder / "key").c_str(), 0600), 0);
    EXPECT_THROW(read_or_draw_secret(folder / "key"), InvalidArgument) << size;
  }
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_THROW(read_or_draw_secret(folder / "pipe"), InvalidArgument);
  EXPECT_THROW(read_or_draw_secret(folder / "nowhere/key"), FileError);
}

// A process that draws as soon as the pipe's other end is closed, and tells what it got.
struct Drawer {
  pid_t process;
  int answer;
};

Drawer start(const fs::path& path, std::array<int, 2>& gate) {
  std::array<int, 2> answer{};
  EXPECT_EQ(pipe(answer.data()), 0);
  const pid_t process = fork();
  if (process == 0) {
    close(gate[1]);
    char nothing = 0;
    static_cast<void>(read(gate[0], &nothing, 1) == 0);
    const auto secret = read_or_draw_secret(path);
    _exit(write(answer[1], secret.data(), secret.size()) == 32 ? 0 : 1);
  }
  close(answer[1]);
  return {process, answer[0]};
}

std::string result_of(const Drawer& drawer) {
  std::string secret(kSecretBytes, '\0');
  const auto got = read(drawer.answer, secret.data(), secret.size());
  close(drawer.answer);
  int status = 0;
  waitpid(drawer.process, &status, 0);
  return got == static_cast<ssize_t>(kSecretBytes) && status == 0 ? secret : "";
}

TEST(SecretFile, TwoThatDrawAtOnceAgree) {
  const TemporaryFolder folder;
  for (int i = 0; i < 200; ++i) {
    const auto path = folder / ("key" + std::to_string(i));
    std::array<int, 2> gate{};
    ASSERT_EQ(pipe(gate.data()), 0);
    const auto first = start(path, gate);
    const auto second = start(path, gate);
    close(gate[0]);
    close(gate[1]);
    const auto secret = result_of(first);
    EXPECT_EQ(secret.size(), kSecretBytes);
    EXPECT_EQ(result_of(second), secret) << i;
    EXPECT_EQ(read_secret(path), secret) << i;
  }
  EXPECT_EQ(files_in(folder.path()), 200U);
}

}  // namespace
}  // namespace sotto
