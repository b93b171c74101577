#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "sotto/accounting/statement.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"
#include "tests/report/html_check.h"
#include "tests/runs/run_files.h"

namespace sotto::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class Statement : public testing::Test {
 protected:
  Statement() { runs::write_run(run()); }
  std::filesystem::path run() const { return folder_ / "run"; }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string command() const { return "statement " + run().string() + " "; }

 private:
  TemporaryFolder folder_;
};

TEST_F(Statement, IsPrintedAsMarkdown) {
  const auto outcome = run_program(command());
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, StartsWith("# Privacy statement\n"));
  EXPECT_THAT(outcome.out, HasSubstr("ε ≤ " + accounting::rounded_up(runs::epsilon_of({}))));
  EXPECT_THAT(run_program(command() + "--format yaml").out, HasSubstr("\nurl_slug: "));
}

TEST_F(Statement, IsWrittenInTheFormatOfItsName) {
  for (const auto& [name, words] :
       {std::pair{"s.md", "# Privacy"}, {"s.html", "<!DOCTYPE html>"}, {"s.yaml", "# A draft"}}) {
    const auto outcome = run_program(command() + "-o " + path(name));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(read_file(path(name)), StartsWith(words));
    EXPECT_THAT(outcome.out, HasSubstr(path(name)));
  }
  EXPECT_THAT(report::html_problems(read_file(path("s.html"))), ElementsAre());
  EXPECT_EQ(run_program(command() + "--format md -o " + path("plain.txt")).status, 0);
}

TEST_F(Statement, PrintsOneObject) {
  const auto json = run_program(command() + "--json -o " + path("s.html")).json();
  EXPECT_EQ(json["standing"], "holds");
  EXPECT_EQ(json["claim"]["epsilon"], runs::epsilon_of({}));
  EXPECT_EQ(json["claim"]["beliefs"].size(), 3U);
  EXPECT_EQ(json["statement"], path("s.html"));
}

TEST_F(Statement, OfARunThatIsNotPrivateSaysSo) {
  runs::write_plain_run(path("plain"), "digits");
  const auto json = run_program("statement --json " + path("plain")).json();
  EXPECT_EQ(json["standing"], "not private");
  EXPECT_TRUE(json["claim"].is_null());
  const auto outcome = run_program("statement " + path("plain") + " -o " + path("s.md"));
  EXPECT_THAT(outcome.out, StartsWith("Warning"));
}

TEST_F(Statement, ADamagedLedgerIsRefused) {
  write_file_atomically(run() / "ledger.jsonl", read_file(run() / "ledger.jsonl") + "{}\n");
  expect_refused(command(), "ledger.jsonl");
}

// --force is for pages, not for what they are about.
TEST_F(Statement, NeverReplacesAFileOfTheRun) {
  std::filesystem::create_hard_link(run() / "ledger.jsonl", path("linked.md"));
  std::filesystem::create_directory_symlink(run(), path("also"));
  const auto ledger = read_file(run() / "ledger.jsonl");
  for (const auto* name : {"run/ledger.jsonl", "run/config.json", "run/privacy.json",
                           "run/privacy.md", "run/model.pt", "also/metrics.jsonl", "linked.md"}) {
    expect_refused(command() + "--force --format md -o " + path(name),
                   "is a file of the run (RUN)");
  }
  EXPECT_EQ(read_file(run() / "ledger.jsonl"), ledger);
  EXPECT_FALSE(std::filesystem::exists(run() / "model.pt"));
  for (int time = 0; time < 2; ++time) {
    EXPECT_EQ(run_program(command() + "--force -o " + path("run/statement.html")).status, 0);
  }
}

TEST_F(Statement, RefusesWhatItCannotDo) {
  expect_refused("statement", "RUN is missing");
  expect_refused("statement " + path("nowhere"), "RUN '" + path("nowhere") + "'");
  expect_refused(command() + "--format pdf", "--format 'pdf': expected one of md, html, yaml");
  expect_refused(command() + "-o " + path("s.pdf"), "--output '" + path("s.pdf") + "'");
  expect_refused(command() + "--json --format html", "--format 'html'");
  write_file_atomically(path("there.md"), "mine");
  expect_refused(command() + "-o " + path("there.md"), "--force");
  EXPECT_EQ(read_file(path("there.md")), "mine");
}

}  // namespace
}  // namespace sotto::cli
