// `sotto query` killed, run many times at once, on a full disk, and after training.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <fstream>

#include "plan/ledger.h"
#include "plan/plan_json.h"
#include "sotto/accounting/privacy_cost.h"
#include "sotto/plan/plan.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

namespace sotto::cli {
namespace {

class QueryProcessTest : public testing::Test {
 protected:
  QueryProcessTest() {
    std::ofstream out(data());
    out << "age\n";
    for (int i = 0; i < 100; ++i) out << i << '\n';
  }

  std::string data() const { return (folder.path() / "people.csv").string(); }
  std::string ledger() const { return (folder.path() / "budget.json").string(); }
  std::string arguments(const std::string& rest) const {
    return "query --data " + data() + " --ledger " + ledger() + ' ' + rest;
  }
  std::size_t charges() const { return Ledger::read(ledger()).events.size(); }

  TemporaryFolder folder;
};

// A pipe that takes nothing more: whoever prints into it hangs.
class FullPipe {
 public:
  FullPipe() {
    EXPECT_EQ(pipe2(ends_.data(), O_NONBLOCK), 0);
    const std::string block(4096, 'x');
    while (write(ends_[1], block.data(), block.size()) > 0) {
    }
    while (write(ends_[1], "x", 1) > 0) {
    }
    fcntl(ends_[1], F_SETFL, 0);  // now writers wait
  }
  ~FullPipe() {
    close(ends_[0]);
    close(ends_[1]);
  }
  FullPipe(const FullPipe&) = delete;
  FullPipe& operator=(const FullPipe&) = delete;
  int writer() const { return ends_[1]; }
  // True if all that ever came through is our own filling.
  bool only_filling() const {
    std::array<char, 4096> buffer{};
    ssize_t got = 0;
    while ((got = read(ends_[0], buffer.data(), buffer.size())) > 0) {
      if (std::any_of(buffer.begin(), buffer.begin() + got, [](char c) { return c != 'x'; })) {
        return false;
      }
    }
    return true;
  }

 private:
  std::array<int, 2> ends_{};
};

// kill -9 after the charge and before the answer: the charge stays, no answer was seen.
TEST_F(QueryProcessTest, AKilledQueryIsPaid) {
  ASSERT_EQ(run_program(arguments("--total-epsilon 1 --epsilon 0.25 count")).status, 0);
  const FullPipe pipe;
  const pid_t child = fork();
  if (child == 0) {
    dup2(pipe.writer(), STDOUT_FILENO);
    const std::string file = data();
    const std::string book = ledger();
    execl(SOTTO_PROGRAM, "sotto", "query", "--data", file.c_str(), "--ledger", book.c_str(),
          "--epsilon", "0.25", "count", nullptr);
    _exit(127);
  }
  int status = 0;
  for (int i = 0; i < 2000 && charges() < 2; ++i) usleep(5000);
  EXPECT_EQ(waitpid(child, &status, WNOHANG), 0) << "it waits with its answer";
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  EXPECT_TRUE(pipe.only_filling());
  EXPECT_EQ(charges(), 2U);
  const auto next = run_program(arguments("--json --epsilon 0.25 count"));
  ASSERT_EQ(next.status, 0) << next.err;
  EXPECT_EQ(next.json()["left"]["epsilon"], 0.25);
}

// If the charge cannot be written there is no answer. (A file may not grow at all here; the answer
// goes through a pipe, which has no such limit.)
TEST_F(QueryProcessTest, NoChargeNoAnswer) {
  ASSERT_EQ(run_program(arguments("--total-epsilon 1 --epsilon 0.25 count")).status, 0);
  const auto answer = (folder.path() / "answer").string();
  const auto script = (folder.path() / "script").string();
  std::ofstream(script) << "trap '' XFSZ\n(ulimit -f 0; " SOTTO_PROGRAM " "
                        << arguments("--epsilon 0.25 count")
                        << " 2>/dev/null; echo status $?) | cat >" << answer << '\n';
  ASSERT_EQ(std::system(("bash " + script).c_str()), 0);
  std::ifstream in(answer);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(text, "status 1\n");
  EXPECT_EQ(charges(), 1U);
}

// Twelve at once want a tenth of the budget each: ten get it, and every answer is paid.
TEST_F(QueryProcessTest, ManyAtOnceShareOneBudget) {
  std::vector<pid_t> children;
  const std::string file = data();
  const std::string book = ledger();
  for (int i = 0; i < 12; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      const int nowhere = open("/dev/null", O_WRONLY);
      dup2(nowhere, STDOUT_FILENO);
      dup2(nowhere, STDERR_FILENO);
      execl(SOTTO_PROGRAM, "sotto", "query", "--data", file.c_str(), "--ledger", book.c_str(),
            "--total-epsilon", "1", "--epsilon", "0.1", "count", nullptr);
      _exit(127);
    }
    children.push_back(child);
  }
  int answered = 0;
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    answered += WEXITSTATUS(status) == 0 ? 1 : 0;
    EXPECT_LE(WEXITSTATUS(status), 1);
  }
  EXPECT_EQ(answered, 10);
  EXPECT_EQ(charges(), 10U);
}

PlanOptions small_training() {
  PlanOptions options;
  options.dataset_size = 1000;
  options.batch_size = 100;
  options.steps = 50;
  options.noise_multiplier = 2;
  return options;
}

// Training and queries share one ledger: what the steps cost is gone from the queries' budget.
TEST_F(QueryProcessTest, PaysForTrainingToo) {
  const Plan plan(small_training());
  {
    Ledger training = Ledger::create(ledger(), json_of(plan));
    training.charge_steps(50);
  }
  const double trained =
      accounting::cost_at_delta(plan.composition(50), plan.neighbours(), 0.5e-5).epsilon;
  const auto without = run_program(arguments("--epsilon 0.1 count"));
  EXPECT_EQ(without.status, 2);
  EXPECT_NE(without.err.find("--total-epsilon"), std::string::npos) << without.err;
  EXPECT_EQ(run_program(arguments("--epsilon 0.1 --total-epsilon 4 count")).status, 2);
  const auto poor =
      run_program(arguments("--epsilon 0.1 --total-epsilon 0.2 --total-delta 1e-5 count"));
  EXPECT_EQ(poor.status, 1) << poor.err;
  EXPECT_EQ(charges(), 0U);
  const auto outcome =
      run_program(arguments("--json --epsilon 0.1 --total-epsilon 4 --total-delta 1e-5 count"));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NEAR(outcome.json()["spent"]["epsilon"].get<double>(), trained + 0.1, 1e-7);
  EXPECT_GT(trained, 0.5);
  const auto next = run_program(arguments("--json --epsilon 0.1 count"));
  ASSERT_EQ(next.status, 0) << next.err;
  EXPECT_NEAR(next.json()["spent"]["epsilon"].get<double>(), trained + 0.2, 1e-7);
}

TEST_F(QueryProcessTest, RefusesTrainingThatDoesNotAddUp) {
  auto options = small_training();
  options.sampling = accounting::Sampling::kFixedSize;
  { Ledger training = Ledger::create(ledger(), json_of(Plan(options))); }
  const std::string rest = "--epsilon 0.1 --total-epsilon 4 --total-delta 1e-5 count";
  const auto replaced = run_program(arguments(rest));
  EXPECT_EQ(replaced.status, 2);
  EXPECT_NE(replaced.err.find("replace-one"), std::string::npos) << replaced.err;
  std::filesystem::remove(ledger());
  auto seeded = json_of(Plan(small_training()));
  seeded["not_private"] = "seed";
  { Ledger training = Ledger::create(ledger(), seeded); }
  const auto known = run_program(arguments(rest));
  EXPECT_EQ(known.status, 2);
  EXPECT_NE(known.err.find("seed"), std::string::npos) << known.err;
}

}  // namespace
}  // namespace sotto::cli
