#include "runs/recorded_identity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "sotto/core/error.h"
#include "tests/core/temporary_folder.h"

namespace sotto::runs {
namespace {

// Without a hash nobody could tell later that held-out records have changed sides.
TEST(RecordedIdentity, HeldOutRecordsNeedOne) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "table.csv", "x,y\n1,a\n");
  const auto table = "csv:" + (folder / "table.csv").string();
  EXPECT_THROW(require_identity(table, ""), InvalidArgument);
  require_identity(table, recorded_identity(table));
  require_identity("digits", "");  // made anew each time, with nothing to change
}

TEST(RecordedIdentity, FollowsTheContent) {
  const TemporaryFolder folder;
  const auto table = "csv:" + (folder / "table.csv").string();
  write_file_atomically(folder / "table.csv", "x,y\n1,a\n");
  const auto before = recorded_identity(table);
  require_same_content(table, before);
  write_file_atomically(folder / "table.csv", "x,y\n1,b\n");
  EXPECT_THROW(require_same_content(table, before), InvalidArgument);
}

// Links are followed, copies are others.
TEST(RecordedIdentity, SameDataByPlace) {
  const TemporaryFolder folder;
  const auto path = [&](const char* name) { return folder / name; };
  std::filesystem::create_directories(path("private/a"));
  std::filesystem::create_directories(path("public"));
  write_file_atomically(path("private/a/1.png"), "picture");
  const auto images = [&](const char* name) { return "images:" + path(name).string(); };
  EXPECT_FALSE(is_same_data(images("public"), images("private")));
  EXPECT_TRUE(is_same_data(images("private/a"), images("private")));
  std::filesystem::create_directory_symlink(path("private/a"), path("public/a"));
  EXPECT_TRUE(is_same_data(images("public"), images("private")));
  std::filesystem::remove(path("public/a"));
  std::filesystem::copy_file(path("private/a/1.png"), path("public/1.png"));
  EXPECT_FALSE(is_same_data(images("public"), images("private")));
  std::filesystem::create_hard_link(path("private/a/1.png"), path("public/2.png"));
  EXPECT_TRUE(is_same_data(images("public"), images("private")));
}

}  // namespace
}  // namespace sotto::runs
