#include "data/data_identity.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/atomic_file.h"
#include "core/sha256.h"
#include "sotto/core/error.h"
#include "tests/core/temporary_folder.h"
#include "tests/data/messages.h"
#include "tests/data/scoped_variable.h"

namespace sotto::data {
namespace {

namespace fs = std::filesystem;

class DataIdentityTest : public testing::Test {
 protected:
  DataIdentityTest() { write("a.csv", "age\n41\n"); }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder / name).parent_path());
    write_file_atomically(folder / name, text);
  }
  std::string identity(const std::string& name) const {
    return DataIdentity::of(folder / name).text();
  }
  fs::path key() const { return folder / DataIdentity::kKeyFile; }

  TemporaryFolder folder;
};

TEST_F(DataIdentityTest, IsThatOfTheContentWhateverThePath) {
  const auto first = identity("a.csv");
  EXPECT_EQ(first.size(), 64U);
  EXPECT_EQ(identity("./a.csv"), first);
  EXPECT_EQ(identity("../" + folder.path().filename().string() + "/a.csv"), first);
  fs::create_symlink("a.csv", folder / "link.csv");
  EXPECT_EQ(identity("link.csv"), first);
  fs::create_directory(folder / "elsewhere");
  fs::create_symlink(folder / "a.csv", folder / "elsewhere/link.csv");
  EXPECT_EQ(identity("elsewhere/link.csv"), first);
  fs::copy_file(folder / "a.csv", folder / "copy.csv");
  EXPECT_EQ(identity("copy.csv"), first);
  EXPECT_EQ(DataIdentity::of(DataSource{DataKind::kCsv, folder / "a.csv"}),
            DataIdentity::of(folder / "a.csv"));
}

TEST_F(DataIdentityTest, ChangesWithTheContent) {
  const auto first = identity("a.csv");
  write("a.csv", "age\n42\n");
  EXPECT_NE(identity("a.csv"), first);
  write("a.csv", "age\n41\n41\n");
  EXPECT_NE(identity("a.csv"), first);
  write("a.csv", "age\n41\n");
  EXPECT_EQ(identity("a.csv"), first);
}

// Whoever can guess the content must not be able to confirm the guess.
TEST_F(DataIdentityTest, NeedsTheKey) {
  const auto first = identity("a.csv");
  EXPECT_NE(first, sha256_hex_of_file(folder / "a.csv"));
  fs::remove(key());
  EXPECT_NE(identity("a.csv"), first);
}

TEST_F(DataIdentityTest, KeepsItsKeyFromOthers) {
  static_cast<void>(identity("a.csv"));
  struct stat status {};
  ASSERT_EQ(stat(key().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0600U);
  ASSERT_EQ(chmod(key().c_str(), 0644), 0);
  const auto message = message_of([&] { static_cast<void>(identity("a.csv")); });
  EXPECT_EQ(message.find(fs::canonical(key()).string() + ": has mode 0644"), 0U) << message;
}

TEST_F(DataIdentityTest, OfAFolderIsThatOfItsFilesAndNames) {
  write("set/train/cat/1.png", "miau");
  write("set/train/dog/2.png", "wau");
  const auto first = identity("set");
  EXPECT_EQ(identity("set/"), first);
  EXPECT_EQ(identity("set/train/.."), first);
  EXPECT_TRUE(fs::exists(folder / "set/.sotto-key"));
  write("set/train/cat/.hidden", "x");
  EXPECT_EQ(identity("set"), first);
  fs::rename(folder / "set/train/dog", folder / "set/train/wolf");
  EXPECT_NE(identity("set"), first);
  fs::rename(folder / "set/train/wolf", folder / "set/train/dog");
  EXPECT_EQ(identity("set"), first);
  fs::create_directory_symlink("..", folder / "set/train/circle");
  static_cast<void>(identity("set"));  // ends
}

TEST_F(DataIdentityTest, MadeUpDataHaveNone) {
  EXPECT_FALSE(DataIdentity::of(DataSource{DataKind::kDigits, {}}));
  EXPECT_EQ(message_of([&] { static_cast<void>(identity("none.csv")); }),
            (folder / "none.csv").string() + ": not there, must be a file or a folder of data");
}

TEST_F(DataIdentityTest, AddsNothingToWhatPackagesInstalled) {
  const ScopedVariable home("SOTTO_DATA", (folder / "home").string());
  const auto first = DataIdentity::of("/usr/bin/env");
  EXPECT_EQ(DataIdentity::of("/usr/bin/../bin/env"), first);
  EXPECT_TRUE(fs::exists(folder / "home/.sotto-key"));
  EXPECT_FALSE(fs::exists(fs::canonical("/usr/bin/env").parent_path() / ".sotto-key"));
}

// Data that we may only read: the key is kept at home. (Root may write everywhere, so somebody else
// asks.)
TEST_F(DataIdentityTest, KeepsTheKeyAtHomeIfTheFolderIsReadOnly) {
  fs::create_directory(folder / "home");
  ASSERT_EQ(chmod((folder / "a.csv").c_str(), 0444), 0);
  ASSERT_EQ(chmod((folder / "home").c_str(), 0777), 0);
  ASSERT_EQ(chmod(folder.path().c_str(), 0555), 0);
  const ScopedVariable home("SOTTO_DATA", (folder / "home/new").string());
  const pid_t child = fork();
  if (child == 0) {
    const uid_t nobody = 65534;
    if (geteuid() == 0 && setuid(nobody) != 0) _exit(2);
    const bool same = identity("a.csv") == identity("./a.csv");
    _exit(same && fs::exists(folder / "home/new/.sotto-key") ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(fs::exists(key()));
  chmod(folder.path().c_str(), 0755);
}

}  // namespace
}  // namespace sotto::data
