// Nobody could make these again, whatever the command has to do with them.
#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "plan/ledger_header.h"
#include "tests/cli/program.h"
#include "tests/core/temporary_folder.h"

namespace sotto::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPrecious = "what somebody worked on for a week";
constexpr const char* kSettings = R"({"dataset":"digits","disable_dp":true})";

class IrreplaceableTest : public testing::Test {
 protected:
  IrreplaceableTest() { write("table.csv", "age,illness\n40,cold\n41,flu\n"); }

  void write(const std::string& name, const std::string& text = kPrecious) const {
    fs::create_directories((folder / name).parent_path());
    write_file_atomically(folder / name, text);
  }
  std::string writing(const std::string& name) const {
    return "anonymity --data " + (folder / "table.csv").string() +
           " --quasi age --sensitive illness --k 2 --width age=10 --force --release " +
           (folder / name).string();
  }
  void expect_kept(const std::string& name) const {
    const auto before = read_file(folder / name);
    expect_refused(writing(name), "expected another file");
    EXPECT_EQ(read_file(folder / name), before) << name;
  }
  void expect_free(const std::string& name) const {
    const auto outcome = run_program(writing(name));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
  }

  TemporaryFolder folder;
};

TEST_F(IrreplaceableTest, LedgersHoweverEdited) {
  const std::string hash(64, 'a');
  for (const std::string before : {"", "\xEF\xBB\xBF", "Our budget: "}) {
    write("budget.csv", before + R"({ "format": "sotto-ledger", "version": 1})");
    expect_kept("budget.csv");
  }
  write("budget.csv", R"({"entry":"charge","first":0,"last":0,"hash":")" + hash + "\"}\n");
  expect_kept("budget.csv");
}

TEST_F(IrreplaceableTest, KeysAndSecrets) {
  write(".sotto-key");
  expect_kept(".sotto-key");
  std::string digits(64, 'a');
  write("secret", digits.append("\n"));
  for (const auto mode : {fs::perms(0400), fs::perms(0644)}) {
    fs::permissions(folder / "secret", mode);
    expect_kept("secret");
  }
}

TEST_F(IrreplaceableTest, WhatALinkLeadsTo) {
  write(".sotto-key");
  write("run/config.json", kSettings);
  write("run/model.pt");
  fs::create_symlink(".sotto-key", folder / "key.csv");
  fs::create_symlink("run/model.pt", folder / "model.csv");
  fs::create_directory_symlink("run", folder / "linked");
  for (const char* name : {"key.csv", "model.csv", "linked/model.pt"}) expect_kept(name);
  EXPECT_EQ(read_file(folder / "run/model.pt"), kPrecious);
}

TEST_F(IrreplaceableTest, FilesOfRuns) {
  write("run/ledger.jsonl");
  write("run/generator.pt");
  write("lost/config.json", kSettings);
  write("lost/checkpoint.pt");
  write("lost/privacy.json");
  write("old/files.json", R"({"sha256":{}})");
  write("old/model.pt");
  for (const char* name : {"run/ledger.jsonl", "run/generator.pt", "lost/config.json",
                           "lost/checkpoint.pt", "lost/privacy.json", "old/model.pt"}) {
    expect_kept(name);
  }
}

TEST_F(IrreplaceableTest, FilesOfSweeps) {
  for (const char* name :
       {"sweep-plan.json", "sweep.json", "results.csv", "records/run-0001.json"}) {
    write(std::string("sweep/") + name, "{}");
  }
  for (const char* name :
       {"sweep-plan.json", "sweep.json", "results.csv", "records/run-0001.json"}) {
    expect_kept(std::string("sweep/") + name);
  }
  write("results.csv");
  expect_free("results.csv");
}

TEST_F(IrreplaceableTest, NotWhatLiesBesideABudgetOfQueries) {
  Ledger::create(folder / "ledger.jsonl", QueriesHeader{{{1, 0}}, std::string(64, 'a')}.to_json());
  write("files.json", R"({"all":["a"]})");
  write("config.json", R"({"compilerOptions":{}})");
  write("plot.json");
  expect_free("plot.json");
  expect_kept("ledger.jsonl");
}

}  // namespace
}  // namespace sotto::cli
