// `sotto query` and its ledger: the head that answers print, and the table that it is for.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include "core/atomic_file.h"
#include "plan/ledger.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

namespace sotto::cli {
namespace {

namespace fs = std::filesystem;

class QueryLedgerTest : public testing::Test {
 protected:
  QueryLedgerTest() { write_file_atomically(folder / "people.csv", "age\n41\n42\n"); }

  Outcome query(const std::string& rest, const std::string& data = "people.csv") const {
    return run_program("query --data " + (folder / data).string() + " --ledger " +
                       ledger().string() + " --epsilon 0.1 " + rest);
  }
  fs::path ledger() const { return folder / "budget.json"; }
  std::size_t charges() const { return Ledger::read(ledger()).events.size(); }
  std::string head_after(const std::string& rest) const {
    const auto outcome = query("--json " + rest);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.json()["ledger_head"];
  }
  static void expect_refusal(const Outcome& outcome, const std::string& named) {
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(named), std::string::npos) << outcome.err;
  }

  TemporaryFolder folder;
};

TEST_F(QueryLedgerTest, AnswersPrintTheHead) {
  const auto head = head_after("--total-epsilon 1 count");
  EXPECT_EQ(Ledger::read(ledger()).head_hash(), head);
  const auto outcome = query("count");
  EXPECT_NE(outcome.out.find("Ledger      " + Ledger::read(ledger()).head_hash() + "\n"),
            std::string::npos)
      << outcome.out;
}

TEST_F(QueryLedgerTest, RefusesALedgerThatLostItsLastLines) {
  const auto first = head_after("--total-epsilon 1 count");
  const auto kept = read_file(ledger());
  const auto second = head_after("--ledger-head " + first + " count");
  const auto third = head_after("--ledger-head " + first + " count");  // older heads do
  const auto whole = read_file(ledger());
  write_file_atomically(ledger(), kept);
  for (const auto& lost : {second, third}) {
    expect_refusal(query("--ledger-head " + lost + " count"), "--ledger-head '" + lost + "'");
  }
  EXPECT_EQ(read_file(ledger()), kept);
  write_file_atomically(ledger(), whole);
  EXPECT_EQ(query("--ledger-head " + third + " count").status, 0);
}

TEST_F(QueryLedgerTest, RefusesToBeginAnewWhereAHeadIsKnown) {
  const auto head = head_after("--total-epsilon 1 count");
  fs::remove(ledger());
  expect_refusal(query("--total-epsilon 1 --ledger-head " + head + " count"), "--ledger '");
  EXPECT_FALSE(fs::exists(ledger()));
  ASSERT_EQ(query("--total-epsilon 1 count").status, 0);
  expect_refusal(query("--ledger-head " + head + " count"), "--ledger-head");
  for (const auto& text : {std::string("''"), std::string("abc"), std::string(64, 'A')}) {
    expect_refusal(query("--ledger-head " + text + " count"), "64 hexadecimal digits");
  }
}

// It would pass for what the run was charged.
TEST_F(QueryLedgerTest, TakesNoNameOfALedgerThatARunHasLost) {
  fs::create_directory(folder / "run");
  const auto asked = [&](const std::string& name) {
    return "query --data " + (folder / "people.csv").string() + " --ledger " +
           (folder / "run" / name).string() + " --epsilon 0.1 --total-epsilon 1 count";
  };
  for (const char* settings : {R"({"dataset":"csv:people.csv","disable_dp":false})", "{"}) {
    write_file_atomically(folder / "run" / "config.json", settings);
    for (const char* name : {"ledger.jsonl", "held_out.jsonl"}) {
      expect_refused(asked(name), "the run in its folder has ledgers of this name");
      EXPECT_FALSE(fs::exists(folder / "run" / name));
    }
  }
  EXPECT_EQ(run_program(asked("budget.jsonl")).status, 0);
  write_file_atomically(folder / "run" / "config.json", R"({"compilerOptions":{}})");
  EXPECT_EQ(run_program(asked("ledger.jsonl")).status, 0);
}

TEST_F(QueryLedgerTest, TakesNoNameThatNobodyLooksInto) {
  expect_refused("query --data " + (folder / "people.csv").string() + " --ledger " +
                     (folder / ".sotto-b.part").string() + " --epsilon 0.1 --total-epsilon 1 count",
                 "expected another name");
}

TEST_F(QueryLedgerTest, IsForOneTableWhateverItsPath) {
  ASSERT_EQ(query("--total-epsilon 1 count").status, 0);
  fs::copy_file(folder / "people.csv", folder / "copy.csv");
  fs::create_symlink("people.csv", folder / "link.csv");
  for (const char* same : {"./people.csv", "copy.csv", "link.csv"}) {
    EXPECT_EQ(query("count", same).status, 0) << same;
  }
  EXPECT_EQ(charges(), 4U);
  write_file_atomically(folder / "others.csv", "age\n41\n43\n");
  expect_refusal(query("count", "others.csv"), "others.csv': not the table that");
  write_file_atomically(folder / "people.csv", "age\n41\n42\n43\n");
  expect_refusal(query("count"), "people.csv': not the table that");
  EXPECT_EQ(charges(), 4U);
}

TEST_F(QueryLedgerTest, OlderLedgersTakeEveryTable) {
  Ledger::create(ledger(), {{"kind", "queries"},
                            {"relation", "add-remove"},
                            {"total_epsilon", 1.0},
                            {"total_delta", 0.0},
                            {"composition", "basic"}});
  EXPECT_EQ(query("count").status, 0);
  write_file_atomically(folder / "others.csv", "age\n41\n43\n");
  EXPECT_EQ(query("count", "others.csv").status, 0);
}

TEST_F(QueryLedgerTest, RefusesAKeyThatOthersMayRead) {
  ASSERT_EQ(query("--total-epsilon 1 count").status, 0);
  struct stat status {};
  ASSERT_EQ(stat((folder / ".sotto-key").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0600U);
  ASSERT_EQ(chmod((folder / ".sotto-key").c_str(), 0644), 0);
  expect_refusal(query("count"), ".sotto-key: has mode 0644");
  EXPECT_EQ(charges(), 1U);
}

}  // namespace
}  // namespace sotto::cli
