// A ledger among processes: killed, competing, out of space.
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/plan/ledger_fixture.h"

namespace sotto {
namespace {

// Runs `work` in a child process, which ends with its result, or with its parent.
pid_t start_child(const std::function<int()>& work) {
  const pid_t child = fork();
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int result = 99;
  try {
    result = work();
  } catch (...) {
    result = 98;
  }
  _exit(result);
}

int exit_code(pid_t child) {
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

class Pipe {
 public:
  Pipe() { EXPECT_EQ(pipe(ends_), 0); }
  ~Pipe() {
    close_writing_end();
    close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  void close_writing_end() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }
  bool put(std::int64_t number) const {
    return write(ends_[1], &number, sizeof number) == sizeof number;
  }
  // False at the end of the stream.
  bool get(std::int64_t& number) const {
    return read(ends_[0], &number, sizeof number) == sizeof number;
  }

 private:
  int ends_[2] = {-1, -1};
};

// The child reports a step when it is charged, then (so to speak) executes it. Whatever the parent
// has heard of must be in the ledger, whenever the child dies.
TEST_F(LedgerTest, NoReportedStepIsLostByKill) {
  Ledger::create(path_, plan_);
  std::int64_t charged = 0;
  for (const int reports_before_kill : {1, 2, 17, 500}) {
    Pipe reports;
    const pid_t child = start_child([&] {
      Ledger ledger = Ledger::resume(path_, plan_);
      while (true) {
        ledger.charge_step();
        if (!reports.put(ledger.steps_charged())) return 1;
      }
    });
    ASSERT_GT(child, 0);
    reports.close_writing_end();
    std::int64_t reported = 0;
    for (int i = 0; i < reports_before_kill; ++i) ASSERT_TRUE(reports.get(reported));
    ASSERT_EQ(kill(child, SIGKILL), 0);
    EXPECT_EQ(exit_code(child), -SIGKILL);
    while (reports.get(reported)) {  // what was still on its way
    }
    const std::int64_t in_ledger = Ledger::read(path_).steps_charged;
    EXPECT_GE(in_ledger, reported);
    EXPECT_LE(in_ledger, reported + 1);  // charged, and killed before it could report
    EXPECT_GE(reported, charged + reports_before_kill);
    charged = in_ledger;
  }
}

TEST_F(LedgerTest, OnlyOneProcessWrites) {
  Ledger ledger = Ledger::create(path_, plan_);
  // An own lock, not the inherited one: the child opens the file anew.
  const pid_t child = start_child([&] {
    try {
      Ledger::resume(path_, plan_).charge_step();
    } catch (const FileError& error) {
      const bool named = std::string(error.what()).starts_with(path_.string());
      return named && Ledger::read(path_).steps_charged == 0 ? 7 : 1;
    }
    return 0;
  });
  EXPECT_EQ(exit_code(child), 7);
  ledger.charge_step();
  EXPECT_EQ(Ledger::read(path_).steps_charged, 1);
}

TEST_F(LedgerTest, TheLockEndsWithItsLedger) {
  Pipe pipe;
  const pid_t child = start_child([&] {
    Ledger ledger = Ledger::create(path_, plan_);
    if (pipe.put(1)) pause();  // until it is killed
    return 1;
  });
  std::int64_t ready = 0;
  ASSERT_TRUE(pipe.get(ready));
  EXPECT_THROW(Ledger::resume(path_, plan_), FileError);
  ASSERT_EQ(kill(child, SIGKILL), 0);
  EXPECT_EQ(exit_code(child), -SIGKILL);
  { Ledger ledger = Ledger::resume(path_, plan_); }
  Ledger ledger = Ledger::resume(path_, plan_);
  ledger.charge_step();
}

void limit_file_size(std::size_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);  // write() fails with EFBIG instead
  const rlimit limit{bytes, RLIM_INFINITY};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

// Returns 0 if a ledger that may grow by `room` bytes fails closed, otherwise the check that
// failed.
int charge_until_full(const std::filesystem::path& path, const nlohmann::json& plan,
                      std::size_t room) {
  Ledger ledger = Ledger::resume(path, plan);
  limit_file_size(std::filesystem::file_size(path) + room);
  std::int64_t charged = 0;
  try {
    while (charged < 1000) {
      ledger.charge_step();
      ++charged;
    }
  } catch (const FileError& error) {
    if (!std::string(error.what()).starts_with(path.string())) return 1;
  }
  if (charged == 1000 || ledger.steps_charged() != charged) return 2;
  const LedgerContents contents = Ledger::read(path);
  if (contents.steps_charged != charged || contents.torn_tail) return 3;
  limit_file_size(RLIM_INFINITY);  // there is room again: it must refuse all the same
  const std::vector<std::function<void()>> uses = {
      [&] { ledger.charge_step(); }, [&] { ledger.charge_event("query", 1); },
      [&] { ledger.note("x"); }, [&] { ledger.flush(); }};
  for (const auto& use : uses) {
    try {
      use();
      return 4;
    } catch (const FileError&) {
    }
  }
  return Ledger::read(path).head_hash() == ledger.head_hash() && ledger.events().empty() ? 0 : 5;
}

TEST_F(LedgerTest, AFullDiskFailsClosed) {
  for (const std::size_t room : {0U, 1U, 100U, 250U, 1000U}) {
    std::filesystem::remove(path_);
    Ledger::create(path_, plan_);
    const pid_t child = start_child([&] { return charge_until_full(path_, plan_, room); });
    EXPECT_EQ(exit_code(child), 0) << room;
    Ledger ledger = Ledger::resume(path_, plan_);
    const auto charged = ledger.steps_charged();
    ledger.charge_step();
    EXPECT_EQ(Ledger::read(path_).steps_charged, charged + 1);
  }
}

TEST_F(LedgerTest, ALedgerThatCannotBeBegunLeavesNothing) {
  const pid_t child = start_child([&] {
    limit_file_size(50);
    try {
      Ledger::create(path_, plan_);
    } catch (const FileError&) {
      return std::filesystem::exists(path_) ? 1 : 0;
    }
    return 2;
  });
  EXPECT_EQ(exit_code(child), 0);
}

}  // namespace
}  // namespace sotto
