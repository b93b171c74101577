// What was charged is found wherever it lies, and what cannot be read or reached is not forgotten.
#include "runs/spending_places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <functional>

#include "core/atomic_file.h"
#include "plan/ledger_header.h"
#include "runs/data_spend.h"
#include "runs/file_hashes.h"
#include "runs/held_out_json.h"
#include "tests/core/temporary_folder.h"
#include "tests/runs/run_files.h"

namespace sotto::runs {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

const std::string kTable(64, 'a');  // identities
const std::string kOther(64, 'b');

// Root may reach everything, so somebody else asks.
bool holds_for_nobody(const std::function<bool()>& condition) {
  const pid_t child = fork();
  if (child == 0) {
    const uid_t nobody = 65534;
    if (geteuid() == 0 && setuid(nobody) != 0) _exit(2);
    _exit(condition() ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  return status == 0;
}

class SpendingPlacesTest : public testing::Test {
 protected:
  SpendingPlacesTest() { chmod(folder.path().c_str(), 0755); }

  void write_queries(const std::string& name, const std::string& table = kTable) const {
    auto ledger = Ledger::create(folder / name, QueriesHeader{{{10, 0}}, table}.to_json());
    ledger.charge_event(kQueryEvent,
                        {{"epsilon", 0.5}, {"delta", 0.0}, {"gaussian_multiplier", nullptr}});
  }
  void write_table_run(const std::string& name, const std::string& dataset = "csv:t.csv",
                       const std::string& identity = kTable) const {
    write_run(folder / name, {.dataset = dataset, .data_identity = identity});
  }
  void remove(const std::string& name) const { fs::remove(folder / name); }
  void write(const std::string& name, const std::string& text) const {
    write_file_atomically(folder / name, text);
  }
  SpentBudgets spent(const std::string& name = "") const {
    return spent_by_data(spenders_in(folder / name));
  }
  // The one place whose cost, and whose data, nobody can tell.
  static bool is_unreadable(const SpentBudgets& budgets) {
    return budgets.unknown.size() == 1 && std::isinf(budgets.unknown[0].epsilon) &&
           budgets.unknown[0].state == SpenderState::kUnreadable;
  }

  TemporaryFolder folder;
};

TEST_F(SpendingPlacesTest, AFolderThatCannotBeSearchedIsNamed) {
  write_table_run("runs/r");
  chmod((folder / "runs/r").c_str(), 0744);
  EXPECT_TRUE(holds_for_nobody([&] {
    try {
      return spenders_in(folder / "runs").empty() && false;
    } catch (const FileError& error) {
      return std::string(error.what()).find("runs/r/") != std::string::npos;
    }
  }));
}

TEST_F(SpendingPlacesTest, LinksIntoAPrivateFolderAreListed) {
  write_table_run("private/r");
  write_queries("private/budget");
  fs::create_directory(folder / "runs");
  chmod((folder / "private").c_str(), 0700);
  for (const char* name : {"r", "budget"}) {
    fs::create_symlink(folder / "private" / name, folder / "runs" / "link");
    EXPECT_TRUE(holds_for_nobody([&] { return is_unreadable(spent("runs")); })) << name;
    remove("runs/link");
  }
  fs::create_symlink(folder / "nowhere", folder / "runs" / "link");
  EXPECT_TRUE(spenders_in(folder / "runs").empty());
}

TEST_F(SpendingPlacesTest, QueriesInThePlaceOfARunsLostLedgerDoNotHideTheRun) {
  write_table_run("run");
  write("run/checkpoint.pt", "a checkpoint");
  remove("run/privacy.json");
  remove("run/ledger.jsonl");
  write_queries("run/ledger.jsonl");
  const auto budgets = spent();
  ASSERT_EQ(budgets.by_data.size(), 1U);
  EXPECT_EQ(budgets.by_data[0].spenders.size(), 2U);
  EXPECT_TRUE(std::isinf(budgets.by_data[0].cost->epsilon));
}

TEST_F(SpendingPlacesTest, QueriesBesideOtherSettingsAreNoRun) {
  write("config.json", R"({"dataset":"x"})");
  write_queries("ledger.jsonl");
  EXPECT_EQ(spenders_in(folder.path()).size(), 1U);
}

TEST_F(SpendingPlacesTest, ADamagedLedgerInARunIsItsOwnOnlyByName) {
  write_table_run("run");
  write_queries("run/held_out.jsonl");
  std::ofstream(folder / "run/held_out.jsonl", std::ios::app) << "{}\n{}\n";
  const auto budgets = spent();
  ASSERT_EQ(budgets.by_data.size(), 1U);
  EXPECT_TRUE(std::isinf(budgets.by_data[0].cost->epsilon));
}

TEST_F(SpendingPlacesTest, AHeldOutLedgerIsTheRunsOwn) {
  write_table_run("run");
  Ledger::create(folder / "run" / kHeldOutLedger, {{"release", "answers"}, {"epsilon", 1.0}});
  EXPECT_EQ(spenders_in(folder.path()).size(), 1U);
}

TEST_F(SpendingPlacesTest, ALedgerIsKnownByWhatIsLeftOfIt) {
  write_queries("budget");
  const auto whole = read_file(folder / "budget");
  const auto second = whole.find('\n') + 1;
  std::string wide;  // as an editor may save it
  for (const char c : whole) wide += std::string(1, c) + '\0';
  for (const auto& text : {"Our budget:\n" + whole, "\xEF\xBB\xBF" + whole, whole.substr(second),
                           "# lost\n" + whole.substr(second), wide}) {
    write("budget", text);
    const auto found = spenders_in(folder.path());
    ASSERT_EQ(found.size(), 1U) << text;
    EXPECT_EQ(found[0].state, SpenderState::kUnreadable);
  }
  write("budget", R"({"entry":"main.js","hash":"abc","format":"esm"})");
  EXPECT_TRUE(spenders_in(folder.path()).empty());
}

TEST_F(SpendingPlacesTest, WhatAKilledProgramLeftIsNoLedgerUnlessItHoldsCharges) {
  write(".sotto-a.part", R"({"format":"sotto-ledger","vers)");
  EXPECT_TRUE(spenders_in(folder.path()).empty());
  write_queries(".sotto-b.part");
  EXPECT_EQ(spenders_in(folder.path()).size(), 1U);
}

TEST_F(SpendingPlacesTest, ADamagedLedgerOfQueriesCountsForItsTable) {
  write_table_run("run");
  write_queries("budget");
  std::ofstream(folder / "budget", std::ios::app) << "{}\n{}\n";
  const auto budgets = spent();
  EXPECT_TRUE(budgets.unknown.empty());
  ASSERT_EQ(budgets.by_data.size(), 1U);
  EXPECT_TRUE(std::isinf(budgets.by_data[0].cost->epsilon));
}

TEST_F(SpendingPlacesTest, ALinkedLedgerOfARunIsNotListedTwice) {
  write_table_run("run");
  fs::create_directory(folder / "kept");
  fs::rename(folder / "run/ledger.jsonl", folder / "kept/first.jsonl");
  fs::create_symlink(folder / "kept/first.jsonl", folder / "run/ledger.jsonl");
  EXPECT_EQ(spenders_in(folder.path()).size(), 1U);
}

TEST_F(SpendingPlacesTest, ARelativeNameMayMeanAnyTableAboveTheRun) {
  for (const char* table : {"project/m.csv", "project/runs/m.csv"}) {
    fs::create_directories((folder / table).parent_path());
    write(table, "x\n");
  }
  write_table_run("project/runs/a", "csv:m.csv", kTable);
  write_table_run("project/runs/b", "csv:" + (folder / "project/m.csv").string(), kOther);
  ASSERT_EQ(spent().by_data.size(), 1U);
  EXPECT_EQ(spent().by_data[0].spenders.size(), 2U);
}

TEST_F(SpendingPlacesTest, ALinkedRunHasItsDataWhereItReallyIs) {
  fs::create_directories(folder / "project/runs");
  fs::create_directories(folder / "shown");
  write("project/m.csv", "x\n");
  write_table_run("project/runs/a", "csv:m.csv", kTable);
  fs::create_directory_symlink(folder / "project/runs/a", folder / "shown/a");
  write_table_run("shown/b", "csv:" + (folder / "project/m.csv").string(), kOther);
  ASSERT_EQ(spent("shown").by_data.size(), 1U);
  EXPECT_EQ(spent("shown").by_data[0].spenders.size(), 2U);
}

TEST_F(SpendingPlacesTest, AHeldOutReleaseWithoutItsLedgerLeavesNoBound) {
  write_table_run("run");
  remove("run/privacy.json");
  edit_json(folder / "run/config.json", [](json& config) { config["delta"] = kRunDelta; });
  EXPECT_TRUE(std::isfinite(spent().by_data.at(0).cost->epsilon));
  write("run/held_out.json", "{}");
  const auto spend = spent().by_data.at(0);
  EXPECT_TRUE(std::isinf(spend.cost->epsilon));
  EXPECT_THAT(spend.spenders[0].problem, HasSubstr("held_out.jsonl: is gone"));
}

TEST_F(SpendingPlacesTest, EditedSettingsDoNotSayWhatTheDataAre) {
  write_table_run("run");
  record_files(folder / "run");
  edit_json(folder / "run/config.json", [](json& config) {
    config["dataset"] = "csv:other.csv";
    config["data_identity"] = kOther;
  });
  const auto budgets = spent();
  EXPECT_TRUE(budgets.by_data.empty());
  ASSERT_EQ(budgets.unknown.size(), 1U);
  EXPECT_THAT(budgets.unknown[0].problem, HasSubstr("was edited"));
}

TEST_F(SpendingPlacesTest, FoldersOfDataThatCannotBeReadMayBeTheSame) {
  fs::create_directories(folder / "pictures/train");
  fs::create_directories(folder / "others/train");
  write("others/train/1.png", "a picture");
  write_table_run("runs/a", "images:" + (folder / "pictures").string(), kTable);
  write_table_run("runs/b", "images:" + (folder / "others").string(), kOther);
  EXPECT_EQ(spent("runs").by_data.size(), 2U);
  chmod((folder / "pictures/train").c_str(), 0700);
  EXPECT_TRUE(holds_for_nobody([&] { return spent("runs").by_data.size() == 1; }));
}

TEST_F(SpendingPlacesTest, OnlyFoldersOfTheSystemAreLeftOut) {
  EXPECT_TRUE(spending_places_in("/proc").ledgers.empty());
  if (!fs::is_directory("/dev/shm")) GTEST_SKIP() << "no /dev/shm";
  const auto ledger = fs::path("/dev/shm") / ("sotto-test-" + std::to_string(getpid()));
  Ledger::create(ledger, QueriesHeader{{{10, 0}}, kTable}.to_json());
  const auto found = spending_places_in("/dev").ledgers;
  fs::remove(ledger);
  EXPECT_THAT(found, testing::Contains(ledger));
}

}  // namespace
}  // namespace sotto::runs
