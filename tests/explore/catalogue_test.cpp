// Folders of runs as they may be found: whole, unfinished, damaged and hostile.
#include "explore/run_catalogue.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include "core/atomic_file.h"
#include "explore/run_details.h"
#include "explore/sweep_details.h"
#include "tests/core/temporary_folder.h"
#include "tests/runs/run_files.h"

namespace sotto::explore {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class CatalogueTest : public testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((folder / path).parent_path());
    std::ofstream(folder / path) << text;
  }
  void write_run(const std::string& name, const std::string& created) const {
    write(name + "/config.json", R"({"dataset": "mnist", "model": "cnn", "delta": 1e-5})");
    write(name + "/privacy.json", R"({"private": true, "epsilon": 2.5, "delta": 1e-6})");
    write(name + "/metrics.jsonl",
          "{\"epoch\": 1, \"epsilon\": 1.5, \"test_accuracy\": 0.8}\n"
          "{\"epoch\": 2, \"epsilon\": 2.5, \"test_accuracy\": 0.9}\n");
    write(name + "/ledger.jsonl", "{\"created\": \"" + created + "\"}\n{}\n");
  }

  TemporaryFolder folder;
  RunsFolder runs{folder.path()};
};

TEST_F(CatalogueTest, ListsRunsNewestFirst) {
  write_run("old", "2026-01-01T00:00:00Z");
  write_run("new", "2026-02-01T00:00:00Z");
  const Json found = run_catalogue(runs);
  ASSERT_EQ(found["runs"].size(), 2U);
  const Json& run = found["runs"][0];
  EXPECT_EQ(run["name"], "new");
  EXPECT_EQ(run["date"], "2026-02-01T00:00:00Z");
  EXPECT_EQ(run["dataset"], "mnist");
  EXPECT_EQ(run["model"], "cnn");
  EXPECT_TRUE(run["epsilon"].is_null());  // no plan bears it out
  EXPECT_TRUE(run["delta"].is_null());
  EXPECT_EQ(run["accuracy"], 0.9);
  EXPECT_EQ(run["epochs"], 2);
  EXPECT_TRUE(run["sweep"].is_null());
}

TEST_F(CatalogueTest, DetailsHoldMetricsStatementAndFiles) {
  write_run("run", "2026-01-01T00:00:00Z");
  write("run/report.html", "<p>");
  write("run/model.pt", "weights");
  const Json run = run_details(runs, "run");
  EXPECT_EQ(run["metrics"].size(), 2U);
  EXPECT_FALSE(run["privacy"].contains("epsilon"));  // no plan bears it out
  const auto files = run["files"].get<std::vector<std::string>>();
  EXPECT_NE(std::find(files.begin(), files.end(), "report.html"), files.end());
  EXPECT_EQ(std::find(files.begin(), files.end(), "model.pt"), files.end());
  EXPECT_EQ(run["problems"].size(), 1U);
}

TEST_F(CatalogueTest, AnEpsilonIsShownIfThePlanBearsItOut) {
  runs::write_run(folder / "honest");
  const Json run = run_details(runs, "honest");
  EXPECT_EQ(run["epsilon"], runs::epsilon_of({}));
  EXPECT_EQ(run["delta"], runs::kRunDelta);
  EXPECT_EQ(run["accuracy"], runs::evaluation_json()["accuracy"]) << "not the last epoch's";
  EXPECT_TRUE(run["problems"].empty()) << run["problems"];

  auto privacy = Json::parse(read_file(folder / "honest/privacy.json"));
  privacy["epsilon"] = 1e-3;
  write("honest/privacy.json", privacy.dump());
  const Json liar = run_details(runs, "honest");
  EXPECT_TRUE(liar["epsilon"].is_null());
  ASSERT_EQ(liar["problems"].size(), 1U);
  EXPECT_NE(liar["problems"][0].get<std::string>().find("cost at least"), std::string::npos);
  EXPECT_TRUE(run_catalogue(runs)["runs"][0]["epsilon"].is_null());
}

TEST_F(CatalogueTest, FilesOfARunWithoutItsLedgerShowNoEpsilon) {
  runs::write_run(folder / "run");
  const Json whole = run_details(runs, "run");
  EXPECT_EQ(whole["privacy"]["epsilon"], runs::epsilon_of({}));
  EXPECT_TRUE(whole["metrics"][0].contains("epsilon"));
  fs::remove(folder / "run/ledger.jsonl");
  const Json lost = run_details(runs, "run");
  EXPECT_TRUE(lost["epsilon"].is_null());
  EXPECT_TRUE(lost["delta"].is_null());
  EXPECT_EQ(lost["privacy"], Json({{"private", true},
                                   {"statement", {{"promise", "No ε is proved for this run."}}}}));
  ASSERT_EQ(lost["metrics"].size(), 4U);
  for (const auto& line : lost["metrics"]) EXPECT_FALSE(line.contains("epsilon"));
  ASSERT_EQ(lost["problems"].size(), 1U);
  EXPECT_NE(lost["problems"][0].get<std::string>().find("is missing"), std::string::npos);
}

TEST_F(CatalogueTest, ARunThatLostLedgerAndPromiseSaysWhyItHasNoEpsilon) {
  runs::write_run(folder / "run");
  fs::remove(folder / "run/ledger.jsonl");
  fs::remove(folder / "run/privacy.json");
  const Json run = run_details(runs, "run");
  EXPECT_TRUE(run["epsilon"].is_null());
  EXPECT_TRUE(run["delta"].is_null());
  ASSERT_EQ(run["problems"].size(), 1U);
  EXPECT_NE(run["problems"][0].get<std::string>().find("ledger.jsonl: is missing"),
            std::string::npos);
  write("begun/config.json", R"({"dataset": "mnist"})");  // there is nothing to lose yet
  EXPECT_TRUE(run_details(runs, "begun")["problems"].empty());
}

// Its own words stay, and its numbers mean nothing.
TEST_F(CatalogueTest, FilesOfASeededRunShowNoEpsilon) {
  runs::write_seeded_run(folder / "run");
  const Json run = run_details(runs, "run");
  EXPECT_EQ(run["epsilon"], "Infinity");
  EXPECT_FALSE(run["privacy"].contains("epsilon"));
  EXPECT_FALSE(run["privacy"].contains("delta"));
  EXPECT_NE(run["privacy"]["statement"].dump().find("NOT PRIVATE"), std::string::npos);
  for (const auto& line : run["metrics"]) EXPECT_FALSE(line.contains("epsilon"));
}

TEST_F(CatalogueTest, NothingOutsideAndNoPipeIsReadForAnEpsilon) {
  runs::write_run(folder / "piped");
  fs::remove(folder / "piped/metrics.jsonl");
  ASSERT_EQ(mkfifo((folder / "piped/metrics.jsonl").c_str(), 0600), 0);
  EXPECT_TRUE(run_details(runs, "piped")["epsilon"].is_null());
  const TemporaryFolder outside;
  runs::write_run(outside / "run");
  runs::write_run(folder / "linked");
  fs::remove(folder / "linked/ledger.jsonl");
  fs::create_symlink(outside / "run/ledger.jsonl", folder / "linked/ledger.jsonl");
  EXPECT_TRUE(run_details(runs, "linked")["epsilon"].is_null());
  runs::write_run(folder / "interrupted");
  fs::remove(folder / "interrupted/privacy.json");
  std::ofstream(outside / "held_out.jsonl") << "secret";
  fs::create_symlink(outside / "held_out.jsonl", folder / "interrupted/held_out.jsonl");
  const Json interrupted = run_details(runs, "interrupted");
  EXPECT_TRUE(interrupted["epsilon_spent"].is_null());
  EXPECT_EQ(interrupted["problems"],
            Json::array({"interrupted/held_out.jsonl: not a file of this folder: no ε is shown"}));
}

// They may be large, and nothing of them is shown.
TEST_F(CatalogueTest, ModelsAreNotRead) {
  runs::write_run(folder / "run");
  write("run/files.json", R"({"sha256": {"model.pt": "0"}})");
  ASSERT_EQ(mkfifo((folder / "run/model.pt").c_str(), 0600), 0);
  EXPECT_EQ(run_details(runs, "run")["epsilon"], runs::epsilon_of({}));
}

TEST_F(CatalogueTest, AGeneratorHasNoAccuracy) {
  write("gan/config.json",
        R"({"kind": "gan", "data": {"dataset": "digits"}, "method": "merf", "delta": 1e-5})");
  write("gan/metrics.jsonl", "{\"step\": 100, \"distance\": 0.5}\n");
  const Json run = run_catalogue(runs)["runs"][0];
  EXPECT_EQ(run["kind"], "gan");
  EXPECT_EQ(run["dataset"], "digits");
  EXPECT_EQ(run["model"], "merf");
  EXPECT_TRUE(run["epsilon"].is_null());
  EXPECT_TRUE(run["accuracy"].is_null());
  EXPECT_TRUE(run["date"].is_string());
}

TEST_F(CatalogueTest, AnInterruptedRunShowsWhatItHasSpent) {
  runs::write_run(folder / "run");
  EXPECT_TRUE(run_details(runs, "run")["epsilon_spent"].is_null());  // it has come to its end
  fs::remove(folder / "run/privacy.json");
  runs::edit_json(folder / "run/config.json",
                  [](auto& config) { config["delta"] = runs::kRunDelta; });
  const Json run = run_catalogue(runs)["runs"][0];
  EXPECT_TRUE(run["epsilon"].is_null());  // nothing is promised
  EXPECT_EQ(run["epsilon_spent"], runs::epsilon_of({}));
}

// It has charged steps since its last epoch.
TEST_F(CatalogueTest, ARunThatHasNotEndedPromisesNothingYet) {
  write("run/config.json", R"({"dataset": "mnist", "delta": 1e-5})");
  write("run/metrics.jsonl", "{\"epoch\": 1, \"epsilon\": 1.0}\n");
  EXPECT_TRUE(run_catalogue(runs)["runs"][0]["epsilon"].is_null());
}

TEST_F(CatalogueTest, WhatIsNotPrivateHasNoEpsilon) {
  write("a/config.json", R"({"dataset": "mnist"})");
  write("a/privacy.json", R"({"private": false, "epsilon": 1.0})");
  write("a/metrics.jsonl", "{\"epoch\": 1, \"epsilon\": 1.0}\n");
  write("b/config.json", R"({"dataset": "mnist", "disable_dp": true})");
  write("b/metrics.jsonl", "{\"epoch\": 1, \"epsilon\": 1.0}\n");
  write("c/config.json", R"({"dataset": "mnist", "insecure_seed": 7})");
  write("c/metrics.jsonl", "{\"epoch\": 1, \"epsilon\": 1.0}\n");
  const auto catalogue = run_catalogue(runs);
  ASSERT_FALSE(catalogue.at("runs").empty());
  for (const auto& run : catalogue.at("runs")) {
    EXPECT_EQ(run["epsilon"], "Infinity") << run["name"];
  }
}

TEST_F(CatalogueTest, DamagedFilesAreSaidNotFatal) {
  write("run/config.json", "{not json");
  write("run/privacy.json", "[1, 2]");
  write("run/metrics.jsonl", "{\"epoch\": 1}\nrubbish\n{\"epoch\": 2}\n{\"epoch\": 3, \"unfini");
  const Json run = run_details(runs, "run");
  EXPECT_EQ(run["metrics"].size(), 2U);
  EXPECT_EQ(run["problems"].size(), 3U);
  EXPECT_TRUE(run["dataset"].is_null());
  EXPECT_EQ(run_catalogue(runs)["runs"].size(), 1U);
}

TEST_F(CatalogueTest, DeepNestingIsRefused) {
  write("run/config.json",
        "{\"dataset\": " + std::string(100000, '[') + std::string(100000, ']') + "}");
  EXPECT_EQ(run_details(runs, "run")["problems"].size(), 1U);
}

TEST_F(CatalogueTest, MembersOfAnyTypeAreKept) {
  write("run/config.json", R"({"dataset": {"a": 1}, "model": ["<img src=x>"], "kind": 7})");
  write("run/privacy.json", R"({"epsilon": "<script>", "private": "perhaps"})");
  const Json run = run_details(runs, "run");
  EXPECT_TRUE(run["epsilon"].is_null());
  EXPECT_EQ(run["kind"], "train");
}

TEST_F(CatalogueTest, LinksOutAreNoRuns) {
  const TemporaryFolder outside;
  fs::create_directories(outside / "run");
  std::ofstream(outside / "run/config.json") << R"({"dataset": "secret"})";
  fs::create_directory_symlink(outside / "run", folder / "link");
  fs::create_directories(folder / "inner");
  fs::create_symlink(outside / "run/config.json", folder / "inner/config.json");
  EXPECT_EQ(run_catalogue(runs)["runs"].size(), 0U);
  EXPECT_TRUE(run_details(runs, "link")["config"].is_null());
  EXPECT_TRUE(run_details(runs, "inner")["config"].is_null());
}

TEST_F(CatalogueTest, SweepsHaveTheColumnsThatAreThere) {
  write("sweep/sweep.json", R"({
    "runs": [{"flags": {"learning_rate": 0.5}, "epsilon": 1.0, "accuracy": 0.8},
             {"learning_rate": 1, "epsilon": 2.0, "note": ["x"]}, 7],
    "best": 0, "epsilon_of_tuning": 3.5})");
  write_run("sweep/run-1", "2026-01-01T00:00:00Z");
  const Json sweep = sweep_details(runs, "sweep");
  EXPECT_EQ(sweep["columns"], Json({"learning_rate", "epsilon", "accuracy", "note"}));
  EXPECT_EQ(sweep["rows"], Json::parse(R"([[0.5, 1.0, 0.8, null], [1, 2.0, null, "[\"x\"]"]])"));
  EXPECT_EQ(sweep["summary"], Json({{"best", 0}, {"epsilon_of_tuning", 3.5}}));
  const Json found = run_catalogue(runs);
  ASSERT_EQ(found["sweeps"].size(), 1U);
  EXPECT_EQ(found["sweeps"][0]["runs"], 2);
  ASSERT_EQ(found["runs"].size(), 1U);
  EXPECT_EQ(found["runs"][0]["sweep"], "sweep");
}

TEST_F(CatalogueTest, ASweepShowsNoEpsilonOfARunThatLostItsLedger) {
  for (const char* name : {"sweep/run-0001", "sweep/run-0002"}) runs::write_run(folder / name);
  write("sweep/sweep.json", R"({
    "runs": [{"run": "run-0001", "epsilon": 1.5}, {"run": "run-0002", "epsilon": 1.5},
             {"run": "run-0003", "epsilon": 0}],
    "best": {"configuration": 1, "epsilon": {"mean": 1.5}}, "epsilon_of_tuning": 3.5,
    "tuning": {"statement": "costs ε ≤ 3.5", "epsilon_of_all_runs": 3.5}})");
  const Json whole = sweep_details(runs, "sweep");
  EXPECT_EQ(whole["rows"].dump(), R"([["run-0001",1.5],["run-0002",1.5],["run-0003",0]])");
  EXPECT_EQ(whole["summary"]["epsilon_of_tuning"], 3.5);
  EXPECT_TRUE(whole["problems"].empty()) << whole["problems"];
  fs::remove(folder / "sweep/run-0002/ledger.jsonl");
  const Json lost = sweep_details(runs, "sweep");
  EXPECT_EQ(lost["rows"].dump(), R"([["run-0001",1.5],["run-0002",null],["run-0003",0]])");
  EXPECT_EQ(lost["summary"].dump(),
            R"({"best":{"configuration":1,"epsilon":null},"epsilon_of_tuning":null})");
  ASSERT_EQ(lost["problems"].size(), 1U);
  EXPECT_EQ(lost["problems"][0].get<std::string>().find("sweep/run-0002: "), 0U);
}

TEST_F(CatalogueTest, SweepsOfACsvFileAlone) {
  write("sweep/results.csv", "name,epsilon,accuracy\n\"a, \"\"b\"\"\",1.5,0.75\r\nc,,0.5\n\nd,2\n");
  const Json sweep = sweep_details(runs, "sweep");
  EXPECT_EQ(sweep["columns"], Json({"name", "epsilon", "accuracy"}));
  EXPECT_EQ(sweep["rows"],
            Json::parse(R"([["a, \"b\"", 1.5, 0.75], ["c", null, 0.5], ["d", 2.0, null]])"));
}

TEST_F(CatalogueTest, ADamagedSweepIsStillListed) {
  write("sweep/sweep.json", "{");
  EXPECT_EQ(run_catalogue(runs)["sweeps"].size(), 1U);
  EXPECT_EQ(sweep_details(runs, "sweep")["problems"].size(), 1U);
}

}  // namespace
}  // namespace sotto::explore
