#include "sweep/swept_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "plan/ledger.h"
#include "plan/plan_json.h"
#include "tests/core/temporary_folder.h"
#include "tests/sweep/run_folders.h"

namespace sotto::sweep {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class SweptRunTest : public testing::Test {
 protected:
  std::filesystem::path run() const { return folder / "run-0001"; }
  SweptRun read(RunStatus status = RunStatus::kFinished) const {
    return swept_run(run(), {.status = status, .seconds = 7});
  }
  void edit_privacy(const char* key, const nlohmann::json& value) const {
    runs::edit_json(run() / "privacy.json", [&](auto& privacy) { privacy[key] = value; });
  }

  TemporaryFolder folder;
};

TEST_F(SweptRunTest, IsWhatItsFolderSays) {
  write_result(run(), 0.8, 2);
  const auto finished = read();
  EXPECT_EQ(finished.accuracy(), 0.8);
  EXPECT_EQ(finished.loss(), 0.5);
  EXPECT_EQ(finished.epsilon(), 2);
  EXPECT_EQ(finished.delta(), runs::kRunDelta);
  EXPECT_EQ(finished.seconds(), 2.5) << "of training, not of the process";
  EXPECT_TRUE(finished.charge.ledger.has_value());
  EXPECT_EQ(finished.outcome.message, "");
}

TEST_F(SweptRunTest, ALossThatIsNotANumberStaysNothing) {
  write_result(run(), 0.1, 2);
  runs::edit_json(run() / "evaluation.json", [](auto& json) { json["loss"] = nullptr; });
  EXPECT_FALSE(read().loss().has_value());
  EXPECT_EQ(read().accuracy(), 0.1);
}

TEST_F(SweptRunTest, WithoutPrivacyThereIsNoBound) {
  write_result(run(), 0.9, INFINITY);
  const auto plain = read();
  EXPECT_TRUE(std::isinf(plain.epsilon()));
  EXPECT_FALSE(plain.delta().has_value());
  EXPECT_EQ(plain.accuracy(), 0.9);
  EXPECT_EQ(plain.charge.unbounded, "it was trained without privacy");
}

TEST_F(SweptRunTest, ABrokenPromiseHasNoPrice) {
  write_swept_run(run(), /*noise_multiplier=*/1);
  edit_privacy("epsilon", 0.01);
  const auto broken = read();
  EXPECT_TRUE(std::isinf(broken.epsilon()));
  EXPECT_THAT(broken.charge.unbounded,
              AllOf(HasSubstr("its promise does not hold"), HasSubstr("cost at least")));
  EXPECT_EQ(broken.outcome.message, broken.charge.unbounded);
  EXPECT_TRUE(broken.accuracy().has_value());
}

TEST_F(SweptRunTest, ChoosingByHeldOutPrivateRecordsHasNoPrice) {
  write_result(run(), 0.8, 2);
  edit_privacy("held_out", {{"epsilon", 1}});
  const auto chosen = read();
  EXPECT_THAT(chosen.charge.unbounded, HasSubstr("give public test rows"));
  EXPECT_EQ(chosen.epsilon(), 2) << "alone it keeps what it promises";
  EXPECT_EQ(chosen.outcome.message, "");
}

// Interrupted after the release, and before it could say so.
TEST_F(SweptRunTest, AReleaseOfAnInterruptedRunCountsToo) {
  write_result(run(), 0.8, 2);
  std::filesystem::remove(run() / "privacy.json");
  EXPECT_EQ(read(RunStatus::kPending).charge.unbounded, "");
  auto ledger = Ledger::create(run() / "held_out.jsonl", {{"epsilon", 1}});
  ledger.charge_event("held-out answers", {{"epsilon", 1}});
  ledger.flush();
  for (const auto status : {RunStatus::kPending, RunStatus::kFailed}) {
    EXPECT_THAT(read(status).charge.unbounded, HasSubstr("give public test rows"));
  }
}

TEST_F(SweptRunTest, AnInterruptedRunCostsWhatWasCharged) {
  write_swept_run(run(), /*noise_multiplier=*/1);
  std::filesystem::remove(run() / "privacy.json");
  const auto interrupted = read(RunStatus::kFailed);
  EXPECT_EQ(interrupted.epsilon(), runs::epsilon_of(swept_files(1)));
  EXPECT_FALSE(interrupted.accuracy().has_value()) << "an epoch's is not a result";
  EXPECT_EQ(interrupted.seconds(), 7);
}

TEST_F(SweptRunTest, ALostFolderOrLedgerHasNoPrice) {
  write_result(run(), 0.8, 2);
  std::filesystem::remove(run() / "ledger.jsonl");
  EXPECT_THAT(read().charge.unbounded, HasSubstr("no ledger"));
  EXPECT_TRUE(std::isinf(read().epsilon()));
  EXPECT_THAT(read().outcome.message, HasSubstr("ledger.jsonl) is missing"));
  std::filesystem::remove_all(run());
  const auto lost = read();
  EXPECT_TRUE(std::isinf(lost.epsilon()));
  EXPECT_FALSE(lost.accuracy().has_value());
  EXPECT_THAT(lost.charge.unbounded, HasSubstr("its folder cannot be read"));
  EXPECT_THAT(lost.outcome.message, HasSubstr("holds no privacy.json"));
}

TEST_F(SweptRunTest, WhatHasNotBegunCostsNothing) {
  const auto pending = read(RunStatus::kPending);
  EXPECT_EQ(pending.epsilon(), 0);
  EXPECT_EQ(pending.charge.unbounded, "");
  EXPECT_FALSE(pending.charge.ledger.has_value());
}

}  // namespace
}  // namespace sotto::sweep
