#include "plan/ledger.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "core/sha256.h"
#include "tests/plan/ledger_fixture.h"

namespace sotto {
namespace {

using nlohmann::json;

TEST_F(LedgerTest, WhatIsChargedIsRead) {
  write_small_ledger();
  const LedgerContents contents = Ledger::read(path_);
  EXPECT_EQ(contents.plan, plan_);
  EXPECT_EQ(contents.steps_charged, 4);
  ASSERT_EQ(contents.events.size(), 1U);
  EXPECT_EQ(contents.events[0].name, "histogram");
  EXPECT_EQ(contents.events[0].description, json({{"epsilon", 0.5}}));
  EXPECT_EQ(contents.notes, std::vector<std::string>{"paused"});
  EXPECT_EQ(contents.lines.size(), 6U);
  EXPECT_FALSE(contents.torn_tail);
}

TEST_F(LedgerTest, ReadingSeesEachChargeAtOnce) {
  Ledger ledger = Ledger::create(path_, plan_);
  EXPECT_EQ(Ledger::read(path_).steps_charged, 0);
  for (int step = 1; step <= 3; ++step) {
    ledger.charge_step();
    const LedgerContents contents = Ledger::read(path_);
    EXPECT_EQ(contents.steps_charged, step);
    EXPECT_EQ(contents.head_hash(), ledger.head_hash());
  }
  ledger.flush();
}

TEST_F(LedgerTest, ResumeContinuesTheCount) {
  write_small_ledger();
  const std::string before = read_file(path_);
  {
    Ledger ledger = Ledger::resume(path_, plan_);
    EXPECT_EQ(ledger.steps_charged(), 4);
    EXPECT_EQ(ledger.events().size(), 1U);
    EXPECT_EQ(read_file(path_), before);
    ledger.note("resumed");
    ledger.charge_step();
    ledger.charge_event("count", 3);
    EXPECT_EQ(ledger.events().back().name, "count");
  }
  const LedgerContents contents = Ledger::read(path_);
  EXPECT_EQ(contents.steps_charged, 5);
  EXPECT_EQ(contents.events.size(), 2U);
  EXPECT_EQ(contents.notes.back(), "resumed");
  EXPECT_TRUE(read_file(path_).starts_with(before));
}

TEST_F(LedgerTest, MovesWithItsLock) {
  Ledger first = Ledger::create(path_, plan_);
  Ledger second = std::move(first);
  second.charge_step();
  EXPECT_EQ(second.steps_charged(), 1);
  // NOLINTNEXTLINE(bugprone-use-after-move,clang-analyzer-cplusplus.Move)
  EXPECT_THROW(first.charge_step(), std::logic_error);
  EXPECT_THROW(Ledger::resume(path_, plan_), FileError);
}

// As docs/ledger-format.md says it: the previous line's 64 digits, then this line up to the comma.
TEST_F(LedgerTest, HashesAreThoseOfTheFormat) {
  write_small_ledger();
  std::string previous(64, '0');
  for (const std::string& line : file_lines()) {
    const std::string body = line.substr(0, line.rfind(R"(,"hash":")"));
    previous = sha256_hex(previous.append(body));
    EXPECT_EQ(line.substr(body.size()), R"(,"hash":")" + previous + R"("})");
  }
  EXPECT_EQ(Ledger::read(path_).head_hash(), previous);
}

TEST_F(LedgerTest, TheExampleInTheDocumentIsSound) {
  std::ifstream document(SOTTO_SOURCE_DIR "/docs/ledger-format.md");
  std::vector<std::string> lines;
  for (std::string line; std::getline(document, line);) {
    if (line.starts_with("{\"")) lines.push_back(line);
  }
  overwrite_lines(lines);
  EXPECT_EQ(Ledger::read(path_).steps_charged, 4);
  EXPECT_EQ(Ledger::read(path_).events.size(), 1U);
}

TEST_F(LedgerTest, RunsOfOnePlanHaveDifferentHashes) {
  const Ledger first = Ledger::create(folder_ / "first", plan_);
  const Ledger second = Ledger::create(folder_ / "second", plan_);
  EXPECT_NE(first.head_hash(), second.head_hash());
}

TEST_F(LedgerTest, CreateNeverReplacesAFile) {
  overwrite("something dear");
  EXPECT_NE(message_of<InvalidArgument>([&] { Ledger::create(path_, plan_); }).find(path_.string()),
            std::string::npos);
  EXPECT_EQ(read_file(path_), "something dear");
}

TEST_F(LedgerTest, MissingFilesAndFoldersAreFileErrors) {
  EXPECT_THROW(Ledger::create(folder_ / "none" / "ledger.jsonl", plan_), FileError);
  EXPECT_THROW(Ledger::resume(path_, plan_), FileError);
  EXPECT_THROW(Ledger::read(path_), FileError);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(LedgerTest, AnotherPlanIsRefusedByItsFirstDifferentKey) {
  write_small_ledger();
  const std::string before = read_file(path_);
  const auto message = [&](const json& plan) {
    return message_of<InvalidArgument>([&] { Ledger::resume(path_, plan); });
  };
  json plan = plan_;
  plan["noise"]["multiplier"] = 0.9;
  plan["sampling"] = "poisson";
  EXPECT_NE(message(plan).find("noise.multiplier: the ledger has 1.1, this run 0.9"),
            std::string::npos);
  plan["noise"] = plan_["noise"];
  EXPECT_NE(message(plan).find("sampling: the ledger has nothing, this run \"poisson\""),
            std::string::npos);
  EXPECT_NE(message({{"noise", plan_["noise"]}}).find("clip: the ledger has 1.0, this run nothing"),
            std::string::npos);
  EXPECT_NE(message(3).find("must be a JSON object"), std::string::npos);
  EXPECT_EQ(read_file(path_), before);
}

TEST_F(LedgerTest, ValuesThatJsonCannotTellAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(Ledger::create(path_, {{"noise", nan}}), InvalidArgument);
  EXPECT_THROW(Ledger::create(path_, {{"name", "\xff"}}), InvalidArgument);
  EXPECT_THROW(Ledger::create(path_, json::array()), InvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(path_));

  Ledger ledger = Ledger::create(path_, plan_);
  EXPECT_THROW(ledger.charge_event("", 1), InvalidArgument);
  EXPECT_THROW(ledger.charge_event("\xff", 1), InvalidArgument);
  EXPECT_THROW(ledger.charge_event("query", {{"epsilon", nan}}), InvalidArgument);
  EXPECT_THROW(ledger.note("\xc3"), InvalidArgument);
  EXPECT_THROW(ledger.charge_steps(0), InvalidArgument);
  EXPECT_THROW(ledger.charge_steps(-1), InvalidArgument);
  ledger.charge_step();  // the caller's mistakes leave it usable
  EXPECT_TRUE(ledger.events().empty());
  EXPECT_EQ(Ledger::read(path_).lines.size(), 2U);
}

TEST_F(LedgerTest, TheLargestCountIsStillReadable) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  Ledger ledger = Ledger::create(path_, plan_);
  ledger.charge_steps(most);
  EXPECT_THROW(ledger.charge_step(), InvalidArgument);
  EXPECT_EQ(Ledger::read(path_).steps_charged, most);
}

TEST_F(LedgerTest, TextIsKeptWhateverItHolds) {
  const std::string text = "two\nlines, ε, a zero" + std::string(1, '\0') + R"(,"hash":")" +
                           std::string(64, 'a') + R"("})";
  {
    Ledger ledger = Ledger::create(path_, plan_);
    ledger.note(text);
    ledger.charge_event(text, {{"hash", std::string(64, 'a')}});
  }
  const LedgerContents contents = Ledger::read(path_);
  EXPECT_EQ(contents.notes.at(0), text);
  EXPECT_EQ(contents.events.at(0).name, text);
}

TEST_F(LedgerTest, ALedgerOlderThanItsCheckpointIsRefused) {
  write_small_ledger();
  const std::string old = read_file(path_);
  std::string hash;
  {
    Ledger ledger = Ledger::resume(path_, plan_);
    ledger.charge_step();
    hash = ledger.head_hash();
    ledger.charge_step();
    ledger.contents().require_at_least(5, hash);
    EXPECT_TRUE(ledger.contents().contains(hash));
  }
  Ledger::read(path_).require_at_least(5, hash);
  const auto refusal = [&](std::int64_t steps, const std::string& cited) {
    return message_of<InvalidArgument>([&] { Ledger::read(path_).require_at_least(steps, cited); });
  };
  EXPECT_NE(refusal(4, hash).find(hash + " at 4 steps"), std::string::npos);
  EXPECT_NE(refusal(5, "").find("ends at 6 steps"), std::string::npos);

  overwrite(old);  // sound, but put back
  EXPECT_FALSE(Ledger::read(path_).contains(hash));
  EXPECT_NE(refusal(5, hash).find("ends at 4 steps"), std::string::npos);
}

TEST_F(LedgerTest, AHundredThousandStepsStayReadable) {
  {
    Ledger ledger = Ledger::create(path_, plan_);
    for (int step = 0; step < 100'000; ++step) ledger.charge_step();
  }
  EXPECT_EQ(Ledger::read(path_).steps_charged, 100'000);
  EXPECT_LT(std::filesystem::file_size(path_), 13'000'000U);
}

}  // namespace
}  // namespace sotto
