// A finished run whose ledger is gone, changed or another's: no command shows an ε for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "core/atomic_file.h"
#include "sotto/accounting/statement.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"
#include "tests/report/html_check.h"
#include "tests/runs/run_files.h"

namespace sotto::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// At any depth.
void expect_no_epsilon(const json& value) {
  for (const auto& item : value.items()) {
    const bool named = item.key().starts_with("epsilon");
    EXPECT_FALSE(named && item.value().is_number()) << value.dump(2);
    if (item.value().is_structured()) expect_no_epsilon(item.value());
  }
}

auto shows_no_epsilon() {
  return AllOf(Not(HasSubstr("ε ≤")), Not(HasSubstr("times what it would be")),
               Not(HasSubstr(accounting::rounded_up(runs::epsilon_of({})))));
}

// A way to lose a ledger that leaves the rest of the run to be read.
struct Loss {
  std::string reason;
  std::function<void(const fs::path& run)> happens;
};

class UnprovedRun : public testing::Test {
 protected:
  UnprovedRun() { runs::write_run(run()); }
  fs::path run() const { return folder / "runs" / "run"; }
  std::string page() const { return (folder / "page.html").string(); }
  std::string about_run(const std::string& command) const { return command + " " + run().string(); }
  std::string spent() const { return "spent --json --runs " + (folder / "runs").string(); }

  // Makes the run anew each time.
  std::vector<Loss> losses() const {
    runs::write_run(folder / "other", {.noise_multiplier = 2});
    const auto others = folder / "other" / "ledger.jsonl";
    return {{"is missing", [](const fs::path& run) { fs::remove(run / "ledger.jsonl"); }},
            {"names no line of this ledger",
             [=](const fs::path& run) {
               fs::copy_file(others, run / "ledger.jsonl", fs::copy_options::overwrite_existing);
             }},
            {"released about held-out records", [](const fs::path& run) {
               runs::write_held_out_release(run, 0.25);
               fs::remove(run / "held_out.jsonl");
             }}};
  }
  template <typename Check>
  void after_each_loss(Check check) const {
    for (const auto& [reason, happens] : losses()) {
      for (const auto write : {+[](const fs::path& run) { runs::write_run(run); },
                               +[](const fs::path& run) { runs::write_generator_run(run); }}) {
        SCOPED_TRACE(reason);
        fs::remove_all(run());
        write(run());
        happens(run());
        check(reason);
      }
    }
  }
  void change_a_byte() const {
    auto ledger = read_file(run() / "ledger.jsonl");
    const auto last = ledger.find("\"last\":39");
    ASSERT_NE(last, std::string::npos);
    ledger[last + 7] = '2';
    write_file_atomically(run() / "ledger.jsonl", ledger);
  }

  TemporaryFolder folder;
};

TEST_F(UnprovedRun, IsReportedWithoutAnEpsilon) {
  after_each_loss([&](const std::string& reason) {
    const auto outcome = run_program(about_run("report --force") + " -o " + page());
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out,
                AllOf(HasSubstr("NOT PROVED"), HasSubstr("Warning"), shows_no_epsilon()));
    const auto html = read_file(page());
    EXPECT_THAT(html, AllOf(HasSubstr("<strong>NOT PROVED"), HasSubstr(reason), shows_no_epsilon(),
                            Not(HasSubstr("Privacy spent")), Not(HasSubstr("by guessing"))));
    EXPECT_THAT(report::html_problems(html), ElementsAre());
    const auto json = run_program(about_run("report --json --force") + " -o " + page()).json();
    EXPECT_EQ(json["epsilon"], "Infinity");
    EXPECT_TRUE(json["delta"].is_null());
    EXPECT_THAT(json["contradictions"].dump(), HasSubstr(reason));
    expect_no_epsilon(json);
  });
}

TEST_F(UnprovedRun, IsNotExplained) {
  after_each_loss([&](const std::string&) {
    expect_refused(about_run("explain"), "Expected a run whose promise holds");
    expect_refused(about_run("explain --json"), "Expected a run whose promise holds");
  });
}

TEST_F(UnprovedRun, HasAStatementThatClaimsNothingAndFails) {
  EXPECT_EQ(run_program(about_run("statement")).status, 0);
  after_each_loss([&](const std::string& reason) {
    const auto outcome = run_program(about_run("statement"));
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err, "");
    EXPECT_THAT(outcome.out, AllOf(HasSubstr(reason), shows_no_epsilon()));
    const auto json = run_program(about_run("statement --json"));
    EXPECT_EQ(json.status, 1);
    EXPECT_EQ(json.json()["standing"], "not verified");
    EXPECT_TRUE(json.json()["claim"].is_null());
    const auto written = run_program(about_run("statement --force -o " + page()));
    EXPECT_EQ(written.status, 1);
    EXPECT_THAT(read_file(page()), HasSubstr("no ε is claimed"));
  });
}

TEST_F(UnprovedRun, LeavesNoBoundToItsData) {
  after_each_loss([&](const std::string& reason) {
    const auto json = run_program(spent()).json();
    ASSERT_EQ(json["by_data"].size(), 1U);
    EXPECT_EQ(json["by_data"][0]["epsilon"], "Infinity");
    EXPECT_THAT(json["by_data"][0]["spent_by"][0]["problem"].get<std::string>(), HasSubstr(reason));
    expect_no_epsilon(json);
  });
}

TEST_F(UnprovedRun, LeavesNoBoundToRunsThatAreComparedWithIt) {
  runs::write_run(folder / "whole");
  fs::remove(run() / "ledger.jsonl");
  const auto both =
      about_run("report") + " " + (folder / "whole").string() + " --force -o " + page();
  const auto json = run_program(both + " --json").json();
  EXPECT_EQ(json["runs"][0]["epsilon"], "Infinity");
  EXPECT_DOUBLE_EQ(json["runs"][1]["epsilon"].get<double>(), runs::epsilon_of({}));
  EXPECT_EQ(json["combined"][0]["epsilon"], "Infinity");
  EXPECT_THAT(json["combined"][0]["sentence"].get<std::string>(), HasSubstr("promise nothing"));
  EXPECT_THAT(run_program(both).out, AllOf(HasSubstr("∞"), HasSubstr("Warning")));
}

TEST_F(UnprovedRun, ALedgerWithAChangedByteIsRefusedAndCountsWithoutBound) {
  change_a_byte();
  for (const auto* command : {"report", "report --json", "explain", "statement"}) {
    expect_refused(about_run(command), "ledger.jsonl");
  }
  EXPECT_FALSE(fs::exists(run() / "report.html"));
  const auto json = run_program(spent()).json();
  EXPECT_EQ(json["by_data"][0]["epsilon"], "Infinity");
  expect_no_epsilon(json);
}

// It proves nothing either, and says so in its own words.
TEST_F(UnprovedRun, ARunWithoutPrivacyNeedsNoLedger) {
  runs::write_plain_run(folder / "plain", "digits");
  const auto outcome = run_program("report " + (folder / "plain").string());
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("NOT PRIVATE"), Not(HasSubstr("ledger"))));
  EXPECT_EQ(run_program("statement " + (folder / "plain").string()).status, 1);
}

}  // namespace
}  // namespace sotto::cli
