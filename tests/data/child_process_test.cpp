#include "data/child_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "tests/core/temporary_folder.h"

namespace sotto::data {
namespace {

using testing::HasSubstr;

std::string failure_of(const std::vector<std::string>& arguments, int seconds = 10) {
  const TemporaryFolder folder;
  try {
    run_child(arguments, folder.path(), std::chrono::seconds(seconds));
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no failure";
}

TEST(ChildProcess, RunsInItsFolderWithoutAShell) {
  const TemporaryFolder folder;
  run_child({"touch", "$HOME; a file"}, folder.path(), std::chrono::seconds(10));
  EXPECT_TRUE(std::filesystem::exists(folder / "$HOME; a file"));
  run_child({"pwd", "-P"}, folder.path(), std::chrono::seconds(10));
  EXPECT_EQ(read_file(folder / "child.log"),
            std::filesystem::canonical(folder.path()).string() + "\n");
}

TEST(ChildProcess, FailuresAreTold) {
  EXPECT_EQ(failure_of({"true"}), "no failure");
  EXPECT_EQ(failure_of({"false"}), "false: ended with status 1");
  EXPECT_EQ(failure_of({"sh", "-c", "echo first; echo why >&2; exit 7"}),
            "sh: ended with status 7: why");
  EXPECT_EQ(failure_of({"sh", "-c", "kill -TERM $$"}), "sh: killed by signal 15");
  EXPECT_THAT(failure_of({"no-such-program"}),
              HasSubstr("no-such-program: cannot be run: No such"));
}

TEST(ChildProcess, TimeIsLimited) {
  EXPECT_EQ(failure_of({"sleep", "60"}, 0), "sleep: still running after 0 s");
}

}  // namespace
}  // namespace sotto::data
