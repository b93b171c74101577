#include "explore/runs_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/core/temporary_folder.h"

namespace sotto::explore {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMost = 1000;

class RunsFolderTest : public testing::Test {
 protected:
  RunsFolderTest() {
    fs::create_directories(root() / "run");
    write(root() / "run" / "config.json", "inside\nsecond line\n");
    write(folder.path() / "secret.json", "outside");
    fs::create_directories(folder.path() / "runs-beside");
    write(folder.path() / "runs-beside" / "secret.json", "outside");
  }

  static void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }
  fs::path root() const { return folder.path() / "runs"; }

  TemporaryFolder folder;
  RunsFolder runs{folder.path() / "runs"};
};

TEST_F(RunsFolderTest, ReadsWhatIsInside) {
  EXPECT_EQ(runs.read("run/config.json", kMost), "inside\nsecond line\n");
  EXPECT_EQ(runs.first_line("run/config.json"), "inside");
  EXPECT_TRUE(runs.file_time("run/config.json"));
  EXPECT_EQ(runs.folders_in(""), std::vector<std::string>{"run"});
  EXPECT_EQ(runs.files_in("run"), std::vector<std::string>{"config.json"});
}

TEST_F(RunsFolderTest, RefusesPathsThatClimb) {
  const std::string with_nul = std::string("run/config.json") + '\0' + ".html";
  const std::string absolute = (folder.path() / "secret.json").string();
  for (const std::string& path :
       {std::string("../secret.json"), std::string("run/../../secret.json"),
        std::string("run/../run/config.json"), std::string("./run/config.json"), std::string(".."),
        std::string("."), std::string(""), std::string("/"), std::string("run//config.json"),
        std::string("run/"), std::string("..\\secret.json"), absolute, with_nul}) {
    EXPECT_FALSE(is_acceptable_path(path)) << path;
    EXPECT_FALSE(runs.read(path, kMost)) << path;
    EXPECT_FALSE(runs.first_line(path)) << path;
    EXPECT_FALSE(runs.file_time(path)) << path;
    EXPECT_TRUE(path.empty() || runs.files_in(path).empty()) << path;
  }
}

TEST_F(RunsFolderTest, FollowsNoLinkOut) {
  fs::create_symlink(folder.path() / "secret.json", root() / "run" / "link.json");
  fs::create_symlink("../../secret.json", root() / "run" / "relative.json");
  fs::create_directory_symlink(folder.path(), root() / "out");
  fs::create_directory_symlink(folder.path() / "runs-beside", root() / "beside");
  fs::create_symlink("link.json", root() / "run" / "chain.json");
  for (const char* path : {"run/link.json", "run/relative.json", "run/chain.json",
                           "out/secret.json", "beside/secret.json"}) {
    EXPECT_FALSE(runs.read(path, kMost)) << path;
    EXPECT_FALSE(runs.first_line(path)) << path;
    EXPECT_FALSE(runs.file_time(path)) << path;
  }
  EXPECT_TRUE(runs.files_in("out").empty());
  EXPECT_TRUE(runs.folders_in("out").empty());
  EXPECT_EQ(runs.folders_in(""), std::vector<std::string>{"run"});
  EXPECT_EQ(runs.files_in("run"), std::vector<std::string>{"config.json"});
}

TEST_F(RunsFolderTest, FollowsLinksWithin) {
  fs::create_directory_symlink("run", root() / "latest");
  EXPECT_EQ(runs.read("latest/config.json", kMost), "inside\nsecond line\n");
}

TEST_F(RunsFolderTest, MayItselfBeALink) {
  fs::create_directory_symlink(root(), folder.path() / "linked");
  EXPECT_TRUE(RunsFolder(folder.path() / "linked").read("run/config.json", kMost));
}

TEST_F(RunsFolderTest, ReadsRegularFilesOnly) {
  ASSERT_EQ(mkfifo((root() / "run" / "pipe.json").c_str(), 0600), 0);
  fs::create_directory(root() / "run" / "folder.json");
  EXPECT_FALSE(runs.read("run/pipe.json", kMost));
  EXPECT_FALSE(runs.first_line("run/pipe.json"));
  EXPECT_FALSE(runs.read("run/folder.json", kMost));
}

TEST_F(RunsFolderTest, RefusesLargeFiles) {
  write(root() / "run" / "large.json", std::string(kMost + 1, 'x'));
  EXPECT_FALSE(runs.read("run/large.json", kMost));
  EXPECT_TRUE(runs.read("run/large.json", kMost + 1));
}

TEST_F(RunsFolderTest, HiddenFilesStayHidden) {
  write(root() / ".token.json", "hidden");
  fs::create_directory(root() / ".git");
  EXPECT_FALSE(runs.read(".token.json", kMost));
  EXPECT_TRUE(runs.files_in("").empty());
  EXPECT_EQ(runs.folders_in(""), std::vector<std::string>{"run"});
}

TEST(RunsFolderOfNothingTest, IsEmpty) {
  const TemporaryFolder folder;
  const RunsFolder runs(folder.path() / "not-there");
  EXPECT_TRUE(runs.folders_in("").empty());
  EXPECT_FALSE(runs.read("run/config.json", kMost));
}

}  // namespace
}  // namespace sotto::explore
