// sotto train --show-norms as a user runs it.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/atomic_file.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

namespace sotto::cli {
namespace {

class ShowNormsTest : public testing::Test {
 protected:
  std::string output() const { return (folder.path() / "run").string(); }
  std::string quick(const std::string& flags) const {
    return "train --dataset digits --model softmax --batch-size 500 --epochs 2 --output " +
           output() + " " + flags;
  }
  TemporaryFolder folder;
};

TEST_F(ShowNormsTest, MarksEveryNumber) {
  const auto outcome = run_program(quick("--show-norms --json"));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  std::size_t marked = 0;
  for (auto at = outcome.err.find("not covered by ε: "); at != std::string::npos;
       at = outcome.err.find("not covered by ε: ", at + 1)) {
    ++marked;
  }
  EXPECT_EQ(marked, 2U) << outcome.err;  // a line an epoch
  EXPECT_NE(outcome.err.find("% of samples clipped"), std::string::npos) << outcome.err;
  const auto json = outcome.json();
  const auto& list = json["not_covered_by_epsilon"];
  for (const auto* key : {"clipped_share", "gradient_norms", "batch_sizes"}) {
    EXPECT_TRUE(json.contains(key)) << key;
    EXPECT_NE(std::find(list.begin(), list.end(), key), list.end()) << key;
  }
  EXPECT_EQ(json["batch_sizes"]["batches"], 20);
  EXPECT_LE(json["batch_sizes"]["min"].get<double>(), json["batch_sizes"]["mean"].get<double>());
  const auto privacy = nlohmann::json::parse(read_file(folder.path() / "run/privacy.json"));
  EXPECT_EQ(privacy["norms_shown"], true);
}

TEST_F(ShowNormsTest, SaysNothingUnlessAsked) {
  const auto outcome = run_program(quick("--json"));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  for (const auto* word : {"clipped", "norms", "batches of", "batch_sizes"}) {
    EXPECT_EQ(outcome.err.find(word), std::string::npos) << word;
    EXPECT_FALSE(outcome.json().contains(word)) << word;
  }
}

TEST_F(ShowNormsTest, TextMarksThemAndResumeRepeatsThem) {
  const auto outcome = run_program(quick("--show-norms"));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("Not covered by ε, in the last epoch"), std::string::npos);
  const auto again = run_program("train --resume --json --output " + output());
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_TRUE(again.json().contains("gradient_norms"));
}

TEST_F(ShowNormsTest, IsRefusedWithoutPrivacyAndOnResume) {
  for (const auto& arguments :
       {quick("--show-norms --disable-dp"), "train --resume --show-norms --output " + output()}) {
    const auto outcome = run_program(arguments);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_NE(outcome.err.find("--show-norms: "), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(output()));
  }
}

}  // namespace
}  // namespace sotto::cli
