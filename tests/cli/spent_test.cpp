// A table, a run that is interrupted, one that is killed, queries, and what they cost together.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>

#include "core/atomic_file.h"
#include "plan/ledger.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

namespace sotto::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class SpentTest : public testing::Test {
 protected:
  SpentTest() {
    write_table(200);
    fs::create_directory(runs());
    std::ofstream(folder / "schema.json")
        << R"({"label":"y","classes":["a","b"],"columns":{"x":{"low":0,"high":60}}})";
  }

  void write_table(int rows) const {
    std::ofstream out(table());
    out << "x,y\n";
    for (int i = 0; i < rows; ++i) out << i % 60 << ',' << (i % 2 == 0 ? "a" : "b") << '\n';
  }
  fs::path table() const { return folder / "table.csv"; }
  fs::path runs() const { return folder / "runs"; }
  fs::path ledger_of(const std::string& run) const { return runs() / run / "ledger.jsonl"; }
  fs::path errors() const { return folder / "errors.txt"; }

  std::string train_flags(const std::string& run, int epochs) const {
    return "train --dataset csv:" + table().string() + " --schema " +
           (folder / "schema.json").string() +
           " --model softmax --batch-size 20 --noise-multiplier 3 --threads 1 --epochs " +
           std::to_string(epochs) + " --output " + (runs() / run).string();
  }
  // A run that takes far too long, ended by a signal when it has charged some steps.
  int interrupt(const std::string& run, int signal) const {
    const pid_t child = fork();
    if (child == 0) {
      const int log = open(errors().c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      dup2(log, STDOUT_FILENO);
      dup2(log, STDERR_FILENO);
      const auto command = "exec " SOTTO_PROGRAM " " + train_flags(run, 100000);
      execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      _exit(127);
    }
    const auto charged = [&] {
      std::error_code none;
      const auto size = fs::file_size(ledger_of(run), none);
      return !none && size > 20000;
    };
    int status = 0;
    while (!charged() && waitpid(child, &status, WNOHANG) == 0) sched_yield();
    kill(child, signal);
    waitpid(child, &status, 0);
    return status;
  }
  Outcome query(const std::string& rest) const {
    return run_program("query --data " + table().string() + " --ledger " +
                       (runs() / "budget.json").string() + " --epsilon 0.5 " + rest);
  }
  json spent(const std::string& rest = "") const {
    return run_program("spent --json --runs " + runs().string() + rest).json();
  }
  json only(const std::string& rest = "") const {
    const auto found = spent(rest)["by_data"];
    EXPECT_EQ(found.size(), 1U) << found;
    return found[0];
  }
  static void expect_one_line(const Outcome& outcome, const std::string& words) {
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
  }

  TemporaryFolder folder;
};

TEST_F(SpentTest, AnInterruptedRunIsCountedAndPublished) {
  const int status = interrupt("run", SIGINT);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  const auto words = read_file(errors());
  EXPECT_NE(words.find("--resume goes on"), std::string::npos) << words;
  EXPECT_NE(words.find("--finish publishes"), std::string::npos) << words;
  const auto charged = Ledger::read(ledger_of("run")).steps_charged;
  const auto before = only(" --data " + table().string());
  EXPECT_EQ(before["spent_by"][0]["state"], "interrupted");
  EXPECT_EQ(before["spent_by"][0]["steps"], charged);
  EXPECT_GT(before["epsilon"].get<double>(), 0);

  for (const std::string command : {"report", "explain", "statement"}) {
    const auto told = run_program(command + " " + (runs() / "run").string());
    EXPECT_EQ(told.status, 2) << command;
    EXPECT_NE(told.err.find("was interrupted, and its steps have cost ε ≤ "), std::string::npos)
        << told.err;
  }
  const auto output = " --output " + (runs() / "run").string();
  const auto finished = run_program("train --finish --json" + output);
  ASSERT_EQ(finished.status, 0) << finished.err;
  EXPECT_EQ(finished.json()["steps"], charged);
  EXPECT_GT(finished.json()["planned_steps"], charged);
  EXPECT_EQ(Ledger::read(ledger_of("run")).steps_charged, charged);
  EXPECT_TRUE(fs::exists(runs() / "run" / "model.pt"));
  expect_one_line(run_program("train --resume" + output), "was ended early and published");
  const auto after = only(" --data " + table().string());
  EXPECT_EQ(after["spent_by"][0]["state"], "ended early");
  EXPECT_EQ(after["spent_by"][0]["steps"], charged);
}

TEST_F(SpentTest, AKilledRunIsPublishedAtAllThatItsLedgerCharged) {
  interrupt("run", SIGKILL);
  const auto output = " --output " + (runs() / "run").string();
  const auto charged = Ledger::read(ledger_of("run")).steps_charged;
  const auto finished = run_program("train --finish --json" + output);
  if (!fs::exists(runs() / "run" / "checkpoint.pt")) {
    expect_one_line(finished, "no model that could be published");
    return;
  }
  ASSERT_EQ(finished.status, 0) << finished.err;
  EXPECT_EQ(finished.json()["steps"], charged);
}

TEST_F(SpentTest, TrainingAndQueriesAddUp) {
  ASSERT_EQ(run_program(train_flags("one", 1)).status, 0);
  ASSERT_EQ(run_program(train_flags("two", 1)).status, 0);
  const double trained = only()["epsilon"];
  ASSERT_EQ(query("--total-epsilon 2 count").status, 0);
  const auto all = only(" --data " + table().string());
  EXPECT_EQ(all["same_data_by"], "content");
  EXPECT_EQ(all["spent_by"].size(), 3U);
  EXPECT_NEAR(all["epsilon"].get<double>(), trained + 0.5, 1e-6);
  double most = 0;
  double sum = 0.5;
  for (const auto& one : all["spent_by"]) {
    most = std::max(most, one["epsilon"].get<double>());
    sum += one["epsilon"].get<double>();
  }
  EXPECT_GT(all["epsilon"].get<double>(), most);
  EXPECT_LT(all["epsilon"].get<double>(), sum + 2 * most);
  const auto text = run_program("spent --runs " + runs().string()).out;
  for (const auto* word : {"train", "query", "finished", "Together they promise", "table.csv"}) {
    EXPECT_NE(text.find(word), std::string::npos) << text;
  }
}

TEST_F(SpentTest, AskingDoesNotMakeAKey) {
  const auto answer =
      run_program("spent --data " + table().string() + " --runs " + runs().string());
  EXPECT_EQ(answer.status, 0);
  EXPECT_NE(answer.out.find("was charged to"), std::string::npos) << answer.out;
  EXPECT_FALSE(fs::exists(folder / ".sotto-key"));
}

TEST_F(SpentTest, ALedgerElsewhereIsCountedOnce) {
  ASSERT_EQ(query("--total-epsilon 2 count").status, 0);
  const auto ledger = " --ledger " + (runs() / "budget.json").string();
  EXPECT_EQ(only(ledger)["spent_by"].size(), 1U);
  fs::rename(runs() / "budget.json", folder / "budget.json");
  EXPECT_TRUE(spent()["by_data"].empty());
  EXPECT_EQ(only(" --ledger " + (folder / "budget.json").string())["epsilon"], 0.5);
}

TEST_F(SpentTest, BadUsage) {
  expect_refused("spent --runs /nowhere", "--runs '/nowhere'");
  expect_refused("spent --runs " + runs().string() + " --data nonsense", "--data 'nonsense'");
  expect_refused("spent --runs " + runs().string() + " --ledger /nowhere", "--ledger '/nowhere'");
  expect_refused("train --finish", "--finish: --output");
  expect_refused("train --finish --resume --output x", "--finish: not together");
  expect_refused("train --finish --epochs 3 --output x", "--epochs");
}

// For data that grow: only if it is said, and the ledger knows.
TEST_F(SpentTest, QueriesGoOnWithATableThatGrewIfThatIsAccepted) {
  ASSERT_EQ(query("--total-epsilon 2 count").status, 0);
  write_table(210);
  expect_one_line(query("count"), "--accept-data-change");
  const auto ledger = runs() / "budget.json";
  EXPECT_EQ(Ledger::read(ledger).events.size(), 1U);
  const auto answer = query("--accept-data-change --json count").json();
  EXPECT_EQ(answer["data_changes"], 1);
  EXPECT_EQ(answer["spent"]["epsilon"], 1.0);
  EXPECT_EQ(Ledger::read(ledger).events.size(), 3U);
  const auto again = query("count");  // it is the new one's now
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_NE(again.out.find("changed 1 time"), std::string::npos) << again.out;
  EXPECT_EQ(only(" --data " + table().string())["spent_by"][0]["queries"], 3);
  write_table(200);
  expect_one_line(query("count"), "not the table that");
}

TEST_F(SpentTest, TrainingNeverGoesOnWithOtherData) {
  ASSERT_EQ(run_program(train_flags("run", 1)).status, 0);
  write_table(210);
  const auto output = " --output " + (runs() / "run").string();
  expect_one_line(run_program("train --resume" + output), "not what the run began with");
  expect_one_line(run_program("train --finish" + output), "not what the run began with");
  const auto asked =
      run_program("query --data " + table().string() + " --ledger " + ledger_of("run").string() +
                  " --epsilon 1 --total-epsilon 40 --total-delta 1e-5 "
                  "--accept-data-change count");
  expect_one_line(asked, "not the table that");
  expect_one_line(asked,
                  "a training run's ledger is for its own data only, whatever flag is given");
}

}  // namespace
}  // namespace sotto::cli
