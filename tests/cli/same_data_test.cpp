// Runs on one table under several names, from training to the combined cost.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

namespace sotto::cli {
namespace {

namespace fs = std::filesystem;

class SameDataTest : public testing::Test {
 protected:
  SameDataTest() {
    write_table(0);
    std::ofstream(folder / "schema.json")
        << R"({"label":"y","classes":["a","b"],"columns":{"x":{"low":0,"high":60}}})";
  }

  void write_table(int offset) const {
    std::ofstream out(folder / "a.csv");
    out << "x,y\n";
    for (int i = 0; i < 120; ++i)
      out << (i + offset) % 60 << ',' << (i % 2 == 0 ? "a" : "b") << '\n';
  }
  void train(const std::string& run, const std::string& table) const {
    const auto outcome = run_program(
        "train --dataset csv:" + (folder.path() / table).string() + " --schema " +
        (folder / "schema.json").string() +
        " --model softmax --batch-size 20 --epochs 1 --noise-multiplier 2 --json --output " +
        (folder / run).string());
    ASSERT_EQ(outcome.status, 0) << outcome.err;
  }
  nlohmann::json report(const std::string& first, const std::string& second) const {
    return run_program("report --json --force --output " + (folder / "page.html").string() + ' ' +
                       (folder / first).string() + ' ' + (folder / second).string())
        .json()["combined"];
  }

  TemporaryFolder folder;
};

TEST_F(SameDataTest, RunsAddUpWhateverTheTableIsCalled) {
  train("first", "a.csv");
  train("second", "./a.csv");
  fs::copy_file(folder / "a.csv", folder / "copy.csv");
  train("third", "copy.csv");
  for (const char* other : {"second", "third"}) {
    const auto combined = report("first", other);
    ASSERT_EQ(combined.size(), 1U) << other;
    EXPECT_EQ(combined[0]["same_data_by"], "content");
  }
  write_table(1);
  train("fourth", "a.csv");
  EXPECT_EQ(report("first", "fourth")[0]["same_data_by"], "name, though the content differs");
  EXPECT_TRUE(report("third", "fourth").empty());
}

// In a table that was saved anew, rows that were trained on may be among those held out.
TEST_F(SameDataTest, ARunGoesOnWithTheRecordsThatItBeganWith) {
  train("run", "a.csv");
  const auto made = run_program("gan train --dataset csv:" + (folder / "a.csv").string() +
                                " --schema " + (folder / "schema.json").string() +
                                " --fit-steps 5 --output " + (folder / "generator").string());
  ASSERT_EQ(made.status, 0) << made.err;
  write_table(1);
  for (const std::string& command :
       {"train --resume --output " + (folder / "run").string(),
        "gan evaluate " + (folder / "generator").string() + " -n 50 --epochs 1"}) {
    const auto outcome = run_program(command);
    EXPECT_EQ(outcome.status, 2) << command;
    EXPECT_NE(outcome.err.find("not what the run began with"), std::string::npos) << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  }
  EXPECT_FALSE(fs::exists(folder / "generator" / "held_out.jsonl"));
  // A key that is lost, or another, is no proof that nothing changed.
  write_table(0);
  fs::rename(folder / ".sotto-key", folder / ".aside");
  EXPECT_EQ(run_program("train --resume --output " + (folder / "run").string()).status, 2);
  fs::rename(folder / ".aside", folder / ".sotto-key");
  EXPECT_EQ(run_program("train --resume --output " + (folder / "run").string()).status, 0);
}

TEST_F(SameDataTest, PublicDataAreNotThePrivateOnesByAnotherName) {
  const auto folder_name = folder.path().string();
  fs::create_symlink(folder / "a.csv", folder / "link.csv");
  fs::create_hard_link(folder / "a.csv", folder / "hard.csv");
  for (const std::string& name :
       {folder_name + "/./a.csv", folder_name + "/link.csv", folder_name + "/hard.csv"}) {
    const auto outcome = run_program(
        "gan train --method basic --pretrain-epochs 1 --dataset csv:" +
        (folder / "a.csv").string() + " --schema " + (folder / "schema.json").string() +
        " --public-dataset csv:" + name + " --public-schema " + (folder / "schema.json").string() +
        " --output " + (folder / "generator").string());
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_NE(outcome.err.find("the private data themselves"), std::string::npos) << outcome.err;
  }
}

TEST_F(SameDataTest, QueriesAnsweredFromARunsLedgerAddUpWithIt) {
  train("first", "a.csv");
  train("second", "a.csv");
  const auto before = report("first", "second")[0];
  const auto asked = run_program("query --data " + (folder / "a.csv").string() + " --ledger " +
                                 (folder / "first" / "ledger.jsonl").string() +
                                 " --epsilon 10 --total-epsilon 40 --total-delta 1e-5 count");
  ASSERT_EQ(asked.status, 0) << asked.err;
  const auto alone = run_program("report --json " + (folder / "first").string()).json();
  EXPECT_GT(alone["with_queries"]["epsilon"].get<double>(), alone["epsilon"].get<double>() + 5);
  EXPECT_NE(run_program("report " + (folder / "first").string()).out.find("1 query was answered"),
            std::string::npos);
  const auto after = report("first", "second")[0];
  EXPECT_GT(after["epsilon"].get<double>(), before["epsilon"].get<double>() + 5) << after;
  EXPECT_NE(after["sentence"].get<std::string>().find("with 1 query answered"), std::string::npos)
      << after;
}

TEST_F(SameDataTest, ExplainingARunCountsItsQueries) {
  train("run", "a.csv");
  const auto before = run_program("explain --json " + (folder / "run").string()).json();
  const auto asked = run_program("query --data " + (folder / "a.csv").string() + " --ledger " +
                                 (folder / "run" / "ledger.jsonl").string() +
                                 " --epsilon 10 --total-epsilon 40 --total-delta 1e-5 count");
  ASSERT_EQ(asked.status, 0) << asked.err;
  const auto after = run_program("explain --json " + (folder / "run").string()).json();
  EXPECT_GE(after["epsilon"].get<double>(), before["epsilon"].get<double>() * 0.999 + 10);
}

// Nobody who reports on the runs about the other table would count them.
TEST_F(SameDataTest, ARunsLedgerAnswersNothingAboutAnotherTable) {
  train("run", "a.csv");
  std::ofstream(folder / "b.csv") << "x,y\n1,a\n";
  const auto asked = run_program("query --data " + (folder / "b.csv").string() + " --ledger " +
                                 (folder / "run" / "ledger.jsonl").string() +
                                 " --epsilon 10 --total-epsilon 40 --total-delta 1e-5 count");
  EXPECT_EQ(asked.status, 2);
  EXPECT_EQ(asked.out, "");
  EXPECT_NE(asked.err.find("not the table that"), std::string::npos) << asked.err;
}

TEST_F(SameDataTest, PublicTestRowsAreNotThePrivateOnes) {
  fs::create_symlink(folder / "a.csv", folder / "link.csv");
  const auto outcome = run_program(
      "train --dataset csv:" + (folder / "a.csv").string() + " --schema " +
      (folder / "schema.json").string() + " --test-data " + (folder / "link.csv").string() +
      " --model softmax --batch-size 20 --epochs 1 --output " + (folder / "run").string());
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("--test-data"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("private rows themselves"), std::string::npos) << outcome.err;
}

TEST_F(SameDataTest, PublicPicturesAreNotPartOfThePrivateOnes) {
  fs::create_directories(folder / "pictures" / "train" / "a");
  for (const char* part : {"pictures/train", "."}) {
    const auto outcome = run_program(
        "gan train --method basic --pretrain-epochs 1 --class-names a,b --dataset images:" +
        (folder / "pictures").string() + " --public-dataset images:" + (folder / part).string() +
        " --output " + (folder / "generator").string());
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_NE(outcome.err.find("the private data themselves"), std::string::npos) << outcome.err;
  }
}

TEST_F(SameDataTest, AKeyThatOthersMayReadIsRefused) {
  std::ofstream(folder / ".sotto-key") << std::string(32, 'k');
  fs::permissions(folder / ".sotto-key", static_cast<fs::perms>(0644));
  const auto outcome = run_program("train --dataset csv:" + (folder / "a.csv").string() +
                                   " --schema " + (folder / "schema.json").string() +
                                   " --model softmax --batch-size 20 --epochs 1 --output " +
                                   (folder / "run").string());
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find(".sotto-key: has mode 0644"), std::string::npos) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_FALSE(fs::exists(folder / "run"));
}

}  // namespace
}  // namespace sotto::cli
