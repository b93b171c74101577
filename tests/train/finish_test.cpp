// finish(): an interrupted run, published as it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "plan/ledger.h"
#include "plan/training_ledger.h"
#include "runs/run_record.h"
#include "sotto/accounting/statement.h"
#include "sotto/core/error.h"
#include "sotto/train/trainer.h"
#include "tests/core/temporary_folder.h"

namespace sotto::train {
namespace {

using testing::HasSubstr;

class StopAt : public TrainingObserver {
 public:
  explicit StopAt(int asked) : left_(asked) {}
  bool stop_requested() override { return left_-- == 0; }

 private:
  int left_;
};

class FinishTest : public testing::Test {
 protected:
  static TrainingConfig config() {
    TrainingConfig c;
    c.dataset = "digits";
    c.model = "softmax";
    c.batch_size = 1000;
    c.epochs = 4;  // 40 steps
    return c;
  }
  void interrupt_after(int steps, const TrainingConfig& c = config()) const {
    StopAt soon(steps - 1);
    EXPECT_THROW(train(c, run(), soon), runs::Interrupted);
  }
  nlohmann::json json(const char* file) const {
    return nlohmann::json::parse(read_file(run() / file));
  }
  std::filesystem::path run() const { return folder / "run"; }
  std::filesystem::path ledger() const { return run() / "ledger.jsonl"; }

  TemporaryFolder folder;
  TrainingObserver quiet;
};

TEST_F(FinishTest, PublishesTheCheckpointAtWhatWasSpent) {
  interrupt_after(13);
  const auto result = finish(run(), quiet);
  EXPECT_EQ(result.steps, 13);
  EXPECT_EQ(result.planned_steps, 40);
  EXPECT_EQ(Ledger::read(ledger()).steps_charged, 13);  // nothing was trained
  const auto charged = training_spend(Ledger::read(ledger())).cost_at_delta(config().delta);
  EXPECT_EQ(result.spent->epsilon, charged.epsilon);
  EXPECT_LT(result.spent->epsilon, config().target_epsilon);
  for (const auto* file : {"model.pt", "privacy.json", "privacy.md", "report.html"}) {
    EXPECT_TRUE(std::filesystem::exists(run() / file)) << file;
  }
  const auto record = runs::RunRecord::read(run());
  EXPECT_TRUE(record.contradictions().empty());
  EXPECT_EQ(record.steps(), 13);
  EXPECT_EQ(json("privacy.json")["stopped_early"]["planned_steps"], 40);
}

// A number of steps that was chosen by results is no number that was fixed: that of the whole
// holds.
TEST_F(FinishTest, SaysWhatHoldsIfItWasStoppedBecauseOfItsResults) {
  interrupt_after(13);
  const auto result = finish(run(), quiet);
  EXPECT_THAT(result.statement, HasSubstr("ended after 13 of 40 steps"));
  auto whole = training_spend(Ledger::read(ledger()));
  whole.steps = 40;
  EXPECT_THAT(result.statement,
              HasSubstr("if not, ε ≤ " +
                        accounting::rounded_up(whole.cost_at_delta(config().delta).epsilon)));
  EXPECT_THAT(read_file(run() / "privacy.md"), HasSubstr("ended after 13 of 40 steps"));
}

TEST_F(FinishTest, CountsWhatWasChargedAfterTheCheckpoint) {
  interrupt_after(13);
  {
    auto open = Ledger::resume(ledger(), Ledger::read(ledger()).plan);
    open.charge_steps(4);  // and the process was killed
  }
  const auto result = finish(run(), quiet);
  EXPECT_EQ(result.steps, 17);
  EXPECT_THAT(result.statement, HasSubstr("its model is that of step 13"));
  EXPECT_EQ(json("privacy.json")["stopped_early"]["model_step"], 13);
  EXPECT_EQ(json("privacy.json")["steps"], 17);
}

TEST_F(FinishTest, DoesNotGoOnAfterwards) {
  interrupt_after(13);
  const auto first = finish(run(), quiet);
  try {
    resume(run(), quiet);
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(), HasSubstr("was ended early and published"));
  }
  EXPECT_EQ(Ledger::read(ledger()).steps_charged, 13);
  const auto again = finish(run(), quiet);
  EXPECT_EQ(again.spent->epsilon, first.spent->epsilon);
  EXPECT_EQ(again.statement, first.statement);
}

TEST_F(FinishTest, AFinishedRunGivesItsResultAgain) {
  const auto result = train(config(), run(), quiet);
  const auto again = finish(run(), quiet);
  EXPECT_EQ(again.steps, result.steps);
  EXPECT_EQ(again.planned_steps, std::nullopt);
  EXPECT_EQ(again.statement, result.statement);
  EXPECT_NO_THROW(resume(run(), quiet));
}

TEST_F(FinishTest, WithoutACheckpointThereIsNothingToPublish) {
  interrupt_after(3);
  std::filesystem::remove(run() / "checkpoint.pt");
  EXPECT_THROW(finish(run(), quiet), InvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(run() / "privacy.json"));
  EXPECT_THROW(finish(folder / "nothing", quiet), InvalidArgument);
}

TEST_F(FinishTest, ARunWithoutPrivacyIsLoudlySo) {
  auto c = config();
  c.disable_dp = true;
  interrupt_after(13, c);
  const auto result = finish(run(), quiet);
  EXPECT_FALSE(result.is_private);
  EXPECT_THAT(result.statement, HasSubstr("NOT PRIVATE"));
}

// Killed between its last charge and its last checkpoint: the trainer knows what to do.
TEST_F(FinishTest, ARunWhoseLastStepsAreLostIsResumedToItsEnd) {
  interrupt_after(13);
  {
    auto open = Ledger::resume(ledger(), Ledger::read(ledger()).plan);
    open.charge_steps(27);
  }
  const auto result = resume(run(), quiet);
  EXPECT_EQ(result.steps, 40);
  EXPECT_TRUE(std::filesystem::exists(run() / "model.pt"));
}

}  // namespace
}  // namespace sotto::train
