// kill -9 at random moments, then resume: no charge is ever forgotten.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <random>

#include "plan/ledger.h"
#include "sotto/accounting/privacy_cost.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

namespace sotto::cli {
namespace {

class KillTest : public testing::Test {
 protected:
  static constexpr int kSteps = 3000;

  std::filesystem::path run() const { return folder.path() / "run"; }
  std::filesystem::path ledger() const { return run() / "ledger.jsonl"; }

  pid_t start(bool resume) const {
    const pid_t child = fork();
    if (child != 0) return child;
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    const std::string output = run().string();
    if (resume) {
      execl(SOTTO_PROGRAM, "sotto", "train", "--resume", "--output", output.c_str(), "--threads",
            "1", nullptr);
    } else {
      execl(SOTTO_PROGRAM, "sotto", "train", "--dataset", "digits", "--model", "softmax",
            "--batch-size", "100", "--epochs", "30", "--lr", "0.5", "--threads", "1", "--output",
            output.c_str(), nullptr);
    }
    _exit(127);
  }

  std::uintmax_t ledger_size() const {
    std::error_code none;
    const auto size = std::filesystem::file_size(ledger(), none);
    return none ? 0 : size;
  }

  // Waits until the ledger has grown by so many bytes, or the process has ended by itself; then
  // kills it.
  void kill_after(pid_t child, std::uintmax_t bytes) const {
    const auto target = ledger_size() + bytes;
    int status = 0;
    while (ledger_size() < target && waitpid(child, &status, WNOHANG) == 0) sched_yield();
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
  }

  TemporaryFolder folder;
};

TEST_F(KillTest, SpendNeverDecreasesAndTheEndAgreesWithTheLedger) {
  std::mt19937 random(20261115);
  std::uniform_int_distribution<std::uintmax_t> bytes(0, 9000);
  std::int64_t spent = 0;
  for (int round = 0; round < 20; ++round) {
    const bool resume = std::filesystem::exists(run() / "config.json");
    kill_after(start(resume), bytes(random));
    if (!std::filesystem::exists(ledger())) continue;
    const auto contents = Ledger::read(ledger());
    ASSERT_GE(contents.steps_charged, spent);
    spent = contents.steps_charged;
  }
  EXPECT_GT(spent, 0);
  const auto outcome = run_program("train --resume --threads 1 --json --output " + run().string());
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto contents = Ledger::read(ledger());
  EXPECT_EQ(contents.steps_charged, kSteps);
  EXPECT_EQ(outcome.json()["steps"], kSteps);
  const double noise = contents.plan.at("noise_multiplier").get<double>();
  const auto cost = accounting::cost_at_delta(
      {accounting::PoissonGaussianEvent(0.01, noise), contents.steps_charged},
      accounting::Neighbours(), 1e-5);
  EXPECT_EQ(outcome.json()["epsilon"].get<double>(), cost.epsilon);
  EXPECT_LE(cost.epsilon, 3);
  EXPECT_GT(outcome.json()["test_accuracy"].get<double>(), 0.6);
}

TEST_F(KillTest, InterruptionSavesTheWork) {
  const pid_t child = start(false);
  while (ledger_size() < 20000) sched_yield();
  kill(child, SIGTERM);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  EXPECT_TRUE(std::filesystem::exists(run() / "checkpoint.pt"));
  EXPECT_EQ(run_program("train --resume --json --output " + run().string()).json()["steps"],
            kSteps);
}

}  // namespace
}  // namespace sotto::cli
