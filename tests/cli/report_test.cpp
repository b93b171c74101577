#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/atomic_file.h"
#include "sotto/accounting/statement.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"
#include "tests/report/html_check.h"
#include "tests/runs/run_files.h"

namespace sotto::cli {
namespace {

using runs::write_run;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(ExplainCommand, ReadsAFinishedRun) {
  const TemporaryFolder folder;
  write_run(folder / "run");
  const auto outcome = run_program("explain --json " + (folder / "run").string());
  EXPECT_EQ(outcome.err, "");
  const auto json = outcome.json();
  EXPECT_EQ(json["run"], "run");
  EXPECT_EQ(json["curve"], "run");
  EXPECT_EQ(json["epsilon"], runs::epsilon_of({}));
}

TEST(ExplainCommand, RefusesARunThatIsNotPrivate) {
  const TemporaryFolder folder;
  runs::write_seeded_run(folder / "run");
  const auto outcome = run_program("explain " + (folder / "run").string());
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("expected a private run"));
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
}

TEST(ExplainCommand, RefusesARunThatPromisesMoreThanItsPlanGives) {
  const TemporaryFolder folder;
  write_run(folder / "run");
  runs::edit_json(folder / "run" / "privacy.json", [](auto& json) { json["epsilon"] = 0.01; });
  expect_refused("explain " + (folder / "run").string(), "Expected a run whose promise holds");
}

TEST(ReportCommand, WritesThePageOfOneRun) {
  const TemporaryFolder folder;
  write_run(folder / "run");
  const auto outcome = run_program("report " + (folder / "run").string());
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, HasSubstr("ε ≤ " + accounting::rounded_up(runs::epsilon_of({}))));
  EXPECT_THAT(outcome.out, HasSubstr("84.08 %"));
  EXPECT_THAT(outcome.out, HasSubstr((folder / "run" / "report.html").string()));
  EXPECT_THAT(report::html_problems(read_file(folder / "run" / "report.html")), ElementsAre());
}

TEST(ReportCommand, ReplacesItsOwnPageAlone) {
  const TemporaryFolder folder;
  const auto table = (folder / "patients.csv").string();
  write_file_atomically(table, "age,ill\n30,no\n");
  std::filesystem::create_symlink(table, folder / "link.html");
  write_run(folder / "run", {.dataset = "csv:" + table});
  write_run(folder / "other", {.noise_multiplier = 2});
  const auto run = (folder / "run").string();
  const auto both = run + " " + (folder / "other").string();
  for (const auto& runs : {run, both}) {
    for (const auto& output : {table, (folder / "link.html").string()}) {
      expect_refused("report " + runs + " --force -o " + output, "config.json names (RUN)");
    }
    expect_refused("report " + runs + " --force -o " + run + "/model.pt", "is a file of the run");
  }
  expect_refused("report " + both + " --force -o " + (folder / "other/evaluation.json").string(),
                 "is a file of the run");
  EXPECT_EQ(read_file(table), "age,ill\n30,no\n");
  for (const std::string& output :
       {std::string(), std::string(), " --force -o " + run + "/report.html"}) {
    const auto outcome = run_program("report " + run + output);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
  }
}

TEST(ReportCommand, FollowsNoLinkOfItsOwnPage) {
  const TemporaryFolder folder;
  write_run(folder / "run");
  write_file_atomically(folder / "model.pt", "of another run");
  std::filesystem::create_symlink(folder / "model.pt", folder / "run" / "report.html");
  expect_refused("report " + (folder / "run").string(), "its report.html is a link");
  EXPECT_EQ(read_file(folder / "model.pt"), "of another run");
  EXPECT_EQ(
      run_program("report " + (folder / "run").string() + " -o " + (folder / "page.html").string())
          .status,
      0);
}

TEST(ExplainCommand, DrawsNoCurveOverARun) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "images");
  const auto picture = (folder / "images" / "1.png").string();
  write_file_atomically(picture, "a record");
  write_run(folder / "run", {.dataset = "images:" + (folder / "images").string()});
  write_file_atomically(folder / "run" / "losses.svg", "<svg/>");
  const auto explain = "explain " + (folder / "run").string() + " --force --plot ";
  expect_refused(explain + (folder / "run" / "losses.svg").string(), "is a file of the run (RUN)");
  expect_refused(explain + picture, "config.json names (RUN)");
  EXPECT_EQ(read_file(picture), "a record");
  EXPECT_EQ(run_program(explain + (folder / "run" / "curve.svg").string()).status, 0);
}

TEST(ReportCommand, PrintsOneObject) {
  const TemporaryFolder folder;
  write_run(folder / "run");
  const auto page = (folder / "elsewhere.html").string();
  const auto json =
      run_program("report " + (folder / "run").string() + " --json -o " + page).json();
  EXPECT_EQ(json["report"], page);
  EXPECT_EQ(json["private"], true);
  EXPECT_DOUBLE_EQ(json["epsilon"].get<double>(), runs::epsilon_of({}));
  EXPECT_EQ(json["accuracy"], 0.8408);
  EXPECT_TRUE(std::filesystem::exists(page));
  EXPECT_FALSE(std::filesystem::exists(folder / "run" / "report.html"));
}

TEST(ReportCommand, ComparesSeveral) {
  const TemporaryFolder folder;
  write_run(folder / "one");
  write_run(folder / "two", {.noise_multiplier = 2});
  const auto runs = (folder / "one").string() + " " + (folder / "two").string();
  const auto page = " --force --output " + (folder / "both.html").string();
  const auto outcome = run_program("report " + runs + page);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const char* words : {"1 one", "2 two", "σ", "accuracy", "84.08 %", "cost more together"}) {
    EXPECT_THAT(outcome.out, HasSubstr(words));
  }
  EXPECT_THAT(report::html_problems(read_file(folder / "both.html")), ElementsAre());
  const auto json = run_program("report --json " + runs + page).json();
  ASSERT_EQ(json["runs"].size(), 2U);
  ASSERT_EQ(json["combined"].size(), 1U);
  EXPECT_GT(json["combined"][0]["epsilon"].get<double>(), runs::epsilon_of({}));
}

TEST(ReportCommand, NotPrivateIsSaidFirst) {
  const TemporaryFolder folder;
  runs::write_seeded_run(folder / "run");
  const auto outcome = run_program("report " + (folder / "run").string());
  EXPECT_THAT(outcome.out, HasSubstr("NOT PRIVATE"));
  const auto json = run_program("report --json " + (folder / "run").string()).json();
  EXPECT_EQ(json["epsilon"], "Infinity");
}

TEST(ReportCommand, NamesFromFilesDoNotSteerTheTerminal) {
  const TemporaryFolder folder;
  write_run(folder / "run", {.dataset = "data\x1b[2J"});
  const auto outcome = run_program("report " + (folder / "run").string());
  EXPECT_THAT(outcome.out, HasSubstr("data\\x1b[2J"));
}

void expect_refused(const std::string& arguments, const std::string& named) {
  const auto outcome = run_program("report " + arguments);
  EXPECT_EQ(outcome.status, 2) << arguments << ": " << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr(named));
}

TEST(ReportCommand, RefusesWrongInputInOneLine) {
  const TemporaryFolder folder;
  const auto run = (folder / "run").string();
  write_run(run);
  std::filesystem::create_directory(folder / "empty");
  expect_refused("", "RUN is missing");
  expect_refused((folder / "nowhere").string(), "RUN '" + (folder / "nowhere").string() + "'");
  expect_refused(run + "/privacy.json", "expected the folder");
  expect_refused((folder / "empty").string(), "holds no privacy.json");
  expect_refused(run + " " + run + "/", "listed twice");
  expect_refused(run + " --colour red", "--colour");
  write_file_atomically(folder / "run" / "config.json", "{\n\n");
  expect_refused(run, "config.json:3:1: not valid JSON");
  EXPECT_FALSE(std::filesystem::exists(folder / "run" / "report.html"));
}

}  // namespace
}  // namespace sotto::cli
