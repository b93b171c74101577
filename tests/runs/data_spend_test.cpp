// The total cost of runs and queries on the same data, as read from their folders.
#include "runs/data_spend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <fstream>

#include "plan/ledger_header.h"
#include "runs/combined_cost.h"
#include "tests/core/temporary_folder.h"
#include "tests/runs/run_files.h"

namespace sotto::runs {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::string kTable(64, 'a');  // identities
const std::string kOther(64, 'b');

class DataSpendTest : public testing::Test {
 protected:
  void write_interrupted(const std::string& name, RunFiles files = {}) const {
    write_run(folder / name, files);
    std::filesystem::remove(folder / name / "privacy.json");
    edit_json(folder / name / "config.json", [](json& config) { config["delta"] = kRunDelta; });
  }
  // Basic, with these costs.
  void write_queries(const std::string& name, const std::string& table,
                     const std::vector<double>& epsilons) const {
    const QueriesHeader header{{{/*epsilon=*/10, /*delta=*/0}}, table};
    auto ledger = Ledger::create(folder / name, header.to_json());
    for (const double epsilon : epsilons) {
      ledger.charge_event(kQueryEvent,
                          {{"epsilon", epsilon}, {"delta", 0.0}, {"gaussian_multiplier", nullptr}});
    }
  }
  SpentBudgets spent() const { return spent_by_data(spenders_in(folder.path())); }
  // Of the one data set that there is.
  DataSpend only() const {
    const auto budgets = spent();
    EXPECT_EQ(budgets.by_data.size(), 1U);
    EXPECT_TRUE(budgets.unknown.empty());
    return budgets.by_data.at(0);
  }

  TemporaryFolder folder;
};

TEST_F(DataSpendTest, OneRunCostsWhatItSays) {
  write_run(folder / "run");
  const auto spend = only();
  ASSERT_EQ(spend.spenders.size(), 1U);
  EXPECT_EQ(spend.spenders[0].state, SpenderState::kFinished);
  EXPECT_EQ(spend.spenders[0].steps, 40);
  EXPECT_EQ(spend.cost->epsilon, epsilon_of(RunFiles{}));
  EXPECT_THAT(spend.sentence, HasSubstr("This promises"));
}

TEST_F(DataSpendTest, AnInterruptedRunCountsWithAllThatWasCharged) {
  write_run(folder / "finished");
  write_interrupted("interrupted", {.steps = 25});
  const auto spend = only();
  ASSERT_EQ(spend.spenders.size(), 2U);
  EXPECT_EQ(spend.spenders[1].state, SpenderState::kInterrupted);
  EXPECT_EQ(spend.spenders[1].steps, 25);
  EXPECT_EQ(spend.spenders[1].epsilon, epsilon_of(RunFiles{.steps = 25}));
  // The same events, 40 + 25 of them.
  EXPECT_NEAR(spend.cost->epsilon, epsilon_of(RunFiles{.steps = 65}), 2e-3);
  EXPECT_THAT(spend.sentence, HasSubstr("1 run did not finish"));
}

// A record pays on one side of each run: two runs never cost more than their ε together, but for
// the shares of δ.
TEST_F(DataSpendTest, HeldOutRecordsPayOnOneSide) {
  const double epsilon = epsilon_of(RunFiles{});
  for (const auto* name : {"one", "two"}) {
    write_run(folder / name);
    edit_json(folder / name / "privacy.json", [&](json& privacy) {
      privacy["held_out"] = {{"epsilon", epsilon}};
    });
  }
  const auto halved = Spend{plan_of({}), 40}.cost_at_delta(kRunDelta / 2).epsilon;
  const double together = only().cost->epsilon;
  EXPECT_NEAR(together, 2 * halved, 1e-3);
  EXPECT_GE(together, 2 * epsilon);
  EXPECT_EQ(only().cost->delta, kRunDelta);
}

TEST_F(DataSpendTest, QueriesOnTheSameTableAddUp) {
  write_run(folder / "run", {.dataset = "csv:t.csv", .data_identity = kTable});
  write_queries("budget", kTable, {0.5, 0.25});
  const auto spend = only();
  EXPECT_EQ(spend.same_by, "content");
  ASSERT_EQ(spend.spenders.size(), 2U);
  EXPECT_EQ(spend.spenders[0].kind, SpenderKind::kQueries);
  EXPECT_EQ(spend.spenders[0].epsilon, 0.75);
  EXPECT_NEAR(spend.cost->epsilon, epsilon_of(RunFiles{}) + 0.75, 1e-9);
  EXPECT_GE(spend.cost->epsilon, epsilon_of(RunFiles{}) + 0.75);
}

TEST_F(DataSpendTest, QueriesAloneAddUp) {
  write_queries("one", kTable, {0.5});
  write_queries("two", kTable, {0.25, 0.25});
  write_queries("unused", kTable, {});
  const auto spend = only();
  EXPECT_EQ(spend.spenders.size(), 2U);
  EXPECT_NEAR(spend.cost->epsilon, 1, 1e-9);
  EXPECT_GE(spend.cost->epsilon, 1);
  EXPECT_EQ(spend.cost->delta, 0);
}

TEST_F(DataSpendTest, ATableThatChangedIsTheSameForItsLedger) {
  write_queries("budget", kTable, {0.5});
  {
    auto ledger = Ledger::resume(folder / "budget", Ledger::read(folder / "budget").plan);
    ledger.charge_event(kDataChangeEvent, data_change(kOther));
  }
  write_run(folder / "before", {.dataset = "csv:a.csv", .data_identity = kTable});
  write_run(folder / "after", {.dataset = "csv:b.csv", .data_identity = kOther});
  const auto spend = only();
  EXPECT_EQ(spend.spenders.size(), 3U);
  EXPECT_EQ(spend.dataset, "csv:b.csv, csv:a.csv");  // as their folders are sorted
}

TEST_F(DataSpendTest, OtherDataHaveASumOfTheirOwn) {
  write_run(folder / "a", {.dataset = "csv:a.csv", .data_identity = kTable});
  write_run(folder / "deep" / "b", {.dataset = "csv:b.csv", .data_identity = kOther});
  const auto budgets = spent();
  ASSERT_EQ(budgets.by_data.size(), 2U);
  for (const auto& spend : budgets.by_data) EXPECT_EQ(spend.spenders.size(), 1U);
  const auto asked = spent_on({"csv:elsewhere.csv", {kOther}}, budgets);
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->dataset, "csv:b.csv");
  EXPECT_FALSE(spent_on({"csv:c.csv", {std::string(64, 'c')}}, budgets));
}

TEST_F(DataSpendTest, WhatIsNotPrivateLeavesNoBound) {
  write_run(folder / "run");
  write_plain_run(folder / "plain", RunFiles{}.dataset);
  const auto spend = only();
  EXPECT_TRUE(std::isinf(spend.cost->epsilon));
  EXPECT_THAT(spend.sentence, HasSubstr("NOT PRIVATE"));
  EXPECT_THAT(spend.spenders[0].problem, HasSubstr("NOT PRIVATE"));
}

TEST_F(DataSpendTest, AnInterruptedRunThatIsNotPrivateLeavesNoBound) {
  write_interrupted("run");
  edit_json(folder / "run" / "config.json", [](json& config) { config["disable_dp"] = true; });
  EXPECT_TRUE(std::isinf(only().cost->epsilon));
  write_interrupted("run");
  edit_json(folder / "run" / "config.json",
            [](json& config) { config["pretrain_epochs"] = 3; });  // without public data
  EXPECT_TRUE(std::isinf(only().cost->epsilon));
}

TEST_F(DataSpendTest, WhatCannotBeReadIsNotForgotten) {
  write_run(folder / "run");
  write_run(folder / "damaged");
  std::ofstream(folder / "damaged" / "privacy.json") << "{";
  const auto spend = only();  // by its name
  EXPECT_EQ(spend.spenders[0].state, SpenderState::kUnreadable);
  EXPECT_TRUE(std::isinf(spend.cost->epsilon));
  std::ofstream(folder / "damaged" / "ledger.jsonl", std::ios::app) << "{}\n{}\n";
  EXPECT_TRUE(std::isinf(only().cost->epsilon));
}

TEST_F(DataSpendTest, UnknownDataAreListedApart) {
  write_run(folder / "run");
  std::filesystem::remove(folder / "run" / "config.json");
  auto plan = QueriesHeader{{{/*epsilon=*/1, /*delta=*/0}}}.to_json();  // of an earlier version
  Ledger::create(folder / "budget", plan)
      .charge_event(kQueryEvent,
                    {{"epsilon", 0.5}, {"delta", 0.0}, {"gaussian_multiplier", nullptr}});
  const auto budgets = spent();
  EXPECT_TRUE(budgets.by_data.empty());
  EXPECT_EQ(budgets.unknown.size(), 2U);
}

TEST_F(DataSpendTest, NothingChargedIsNothingSpent) {
  write_interrupted("run");
  for (const auto* made : {"ledger.jsonl", "metrics.jsonl", "evaluation.json"}) {
    std::filesystem::remove(folder / "run" / made);
  }
  EXPECT_TRUE(spent().by_data.empty());
  EXPECT_TRUE(spenders_in(folder.path()).empty());
}

TEST_F(DataSpendTest, DifferentRelationsHaveNoCommonEpsilon) {
  write_run(folder / "poisson");
  write_run(folder / "fixed", {.sampling = accounting::Sampling::kFixedSize});
  const auto spend = only();
  EXPECT_FALSE(spend.cost);
  EXPECT_THAT(spend.sentence, HasSubstr("different ways"));
}

// What lies in a run's folder besides its own ledgers was charged, too.
TEST_F(DataSpendTest, WhatLiesInARunsFolderIsNotForgotten) {
  write_run(folder / "run", {.dataset = "csv:t.csv", .data_identity = kTable});
  write_run(folder / "run" / "second", {.dataset = "csv:t.csv", .data_identity = kTable});
  write_queries("run/queries.jsonl", kTable, {0.5});
  const auto spend = only();
  EXPECT_EQ(spend.spenders.size(), 3U);
  EXPECT_GT(spend.cost->epsilon, epsilon_of(RunFiles{.steps = 80}) + 0.49);
}

TEST_F(DataSpendTest, ASettingsFileDoesNotHideTheRunsBelow) {
  write_run(folder / "run");
  std::filesystem::copy_file(folder / "run" / "config.json", folder / "config.json");
  EXPECT_EQ(only().spenders.size(), 1U);
}

TEST_F(DataSpendTest, ALedgerOfQueriesMayHaveTheNameOfARuns) {
  write_run(folder / "run", {.dataset = "csv:t.csv", .data_identity = kTable});
  write_queries("ledger.jsonl", kTable, {0.5});
  EXPECT_EQ(only().spenders.size(), 2U);
}

TEST_F(DataSpendTest, QueriesOfARunWithoutStepsAreNotForgotten) {
  write_interrupted("run", {.dataset = "csv:t.csv", .data_identity = kTable});
  std::filesystem::remove(folder / "run" / "ledger.jsonl");
  auto ledger =
      Ledger::create(folder / "run" / "ledger.jsonl", TrainingHeader{plan_of({})}.to_json());
  ledger.charge_event(kQueryBudgetEvent,
                      QueriesHeader{{{/*epsilon=*/100, /*delta=*/1e-5}}, kTable}.to_json());
  ledger.charge_event(kQueryEvent,
                      {{"epsilon", 50.0}, {"delta", 0.0}, {"gaussian_multiplier", nullptr}});
  EXPECT_GE(only().cost->epsilon, 50);
  EXPECT_LT(only().cost->epsilon, 50.001);
}

TEST_F(DataSpendTest, ALostLedgerLeavesNoBound) {
  write_run(folder / "run");
  std::filesystem::remove(folder / "run" / "ledger.jsonl");
  EXPECT_TRUE(std::isinf(only().cost->epsilon));
  EXPECT_THAT(only().spenders[0].problem, HasSubstr("ledger (ledger.jsonl) is missing"));
}

TEST_F(DataSpendTest, OneFileMayHaveSeveralNames) {
  write_run(folder / "a", {.dataset = "csv:m.csv", .data_identity = kTable});
  write_run(folder / "b", {.dataset = "csv:./m.csv", .data_identity = kOther});
  write_run(folder / "c", {.dataset = "csv:" + std::filesystem::absolute("m.csv").string()});
  EXPECT_EQ(only().spenders.size(), 3U);
}

TEST_F(DataSpendTest, LinksToRunsAreFollowedOnce) {
  write_run(folder / "elsewhere" / "run");
  std::filesystem::create_directory(folder / "runs");
  std::filesystem::create_directory_symlink(folder / "elsewhere" / "run", folder / "runs" / "a");
  std::filesystem::create_directory_symlink(folder / "elsewhere" / "run", folder / "runs" / "b");
  EXPECT_EQ(only().spenders.size(), 1U);
  EXPECT_EQ(spenders_in(folder / "runs").size(), 1U);
}

TEST_F(DataSpendTest, LinkedFoldersAreSearched) {
  write_run(folder / "elsewhere" / "run");
  std::filesystem::create_directories(folder / "here");
  std::filesystem::create_directory_symlink(folder / "elsewhere", folder / "here" / "runs");
  std::filesystem::create_directory_symlink(folder / "here", folder / "here" / "circle");
  EXPECT_EQ(spenders_in(folder / "here").size(), 1U);
}

TEST_F(DataSpendTest, ALedgerOfQueriesMayHaveTheNameOfAHeldOutRelease) {
  write_run(folder / "run", {.dataset = "csv:t.csv", .data_identity = kTable});
  write_queries("run/held_out.jsonl", kTable, {0.5});
  EXPECT_EQ(only().spenders.size(), 2U);
}

TEST_F(DataSpendTest, ARelativeNameIsLookedForBesideTheRun) {
  std::filesystem::create_directories(folder / "project" / "runs");
  std::ofstream(folder / "project" / "m.csv") << "x\n";
  write_run(folder / "project" / "runs" / "a", {.dataset = "csv:m.csv", .data_identity = kTable});
  write_run(folder / "project" / "runs" / "b",
            {.dataset = "csv:" + (folder / "project" / "m.csv").string(), .data_identity = kOther});
  EXPECT_EQ(only().spenders.size(), 2U);
}

TEST_F(DataSpendTest, ATrainedRunWithoutLedgerAndPromiseLeavesNoBound) {
  write_run(folder / "run");
  std::ofstream(folder / "run" / "model.pt") << "a model";
  std::filesystem::remove(folder / "run" / "ledger.jsonl");
  std::filesystem::remove(folder / "run" / "privacy.json");
  EXPECT_TRUE(std::isinf(only().cost->epsilon));
}

TEST_F(DataSpendTest, AnEditedLedgerIsNotForgotten) {
  write_run(folder / "run");
  std::ofstream(folder / "budget") << "\n { \"format\": \"sotto-ledger\"}";
  EXPECT_EQ(spent().unknown.size(), 1U);
}

TEST_F(DataSpendTest, PipesAreNotRead) {
  write_run(folder / "run");
  std::filesystem::create_directories(folder / "other");
  ASSERT_EQ(mkfifo((folder / "other" / "ledger.jsonl").c_str(), 0600), 0);
  ASSERT_EQ(mkfifo((folder / "other" / "config.json").c_str(), 0600), 0);
  EXPECT_EQ(only().spenders.size(), 1U);
}

TEST_F(DataSpendTest, TheConditionOfComposedQueriesIsInTheSentence) {
  QueriesHeader header{{{/*epsilon=*/10, /*delta=*/1e-5}}, kTable};
  header.terms.composing = mechanisms::Composing::kTight;
  auto ledger = Ledger::create(folder / "budget", header.to_json());
  ledger.charge_event(kQueryEvent,
                      {{"epsilon", 0.05}, {"delta", 0.0}, {"gaussian_multiplier", nullptr}});
  EXPECT_THAT(only().sentence, HasSubstr("decided before any answer"));
}

TEST_F(DataSpendTest, ReportsCountInterruptedRuns) {
  write_run(folder / "finished");
  write_interrupted("interrupted", {.steps = 25});
  std::vector<RunRecord> runs;
  runs.push_back(*RunRecord::read_charged(folder / "finished"));
  runs.push_back(*RunRecord::read_charged(folder / "interrupted"));
  EXPECT_TRUE(runs[0].is_finished());
  EXPECT_FALSE(runs[1].is_finished());
  EXPECT_TRUE(runs[1].contradictions().empty());
  const auto combined = combined_costs(runs);
  ASSERT_EQ(combined.size(), 1U);
  EXPECT_NEAR(combined[0].cost->epsilon, epsilon_of(RunFiles{.steps = 65}), 2e-3);
  EXPECT_THAT(combined[0].sentence, HasSubstr("1 run was interrupted"));
}

}  // namespace
}  // namespace sotto::runs
