// Ledger, checkpoint, resume.
#include <fstream>
#include <nlohmann/json.hpp>

#include "plan/ledger.h"
#include "plan/plan_json.h"
#include "sotto/core/error.h"
#include "tests/engine/training_fixture.h"

namespace sotto {
namespace {

class ResumeTest : public TrainingFixture {
 protected:
  PrivacyEngine open(torch::optim::Optimizer& optimizer, const PlanOptions& plan) {
    return make_private(*model, optimizer, plan, {.ledger = path()});
  }
  std::filesystem::path path() const { return folder.path() / "ledger.jsonl"; }
  void step(PrivacyEngine& engine, int count) {
    while (count-- > 0) {
      const auto target = engine.steps() + 1;
      while (engine.steps() < target) {
        const auto batch = engine.next_batch();
        ASSERT_TRUE(batch);
        engine.step(losses(batch->indices));
      }
    }
  }

  TemporaryFolder folder;
  torch::optim::SGD optimizer{model->parameters(), 0.1};
};

TEST_F(ResumeTest, LedgerCountsEveryStep) {
  auto engine = open(optimizer, options(1, 10));
  train(engine);
  EXPECT_EQ(Ledger::read(path()).steps_charged, 10);
  EXPECT_EQ(engine.ledger_hash(), Ledger::read(path()).head_hash());
}

// Never: a resume that resets the budget.
TEST_F(ResumeTest, ResumeGoesOnFromTheLedgersSpend) {
  std::string checkpoint;
  {
    auto engine = open(optimizer, options(1, 30));
    step(engine, 5);
    checkpoint = engine.checkpoint();
    step(engine, 3);  // executed after the checkpoint, then the process dies
  }
  auto engine = open(optimizer, options(1, 30));
  engine.restore(checkpoint);
  const auto charged = engine.steps();
  EXPECT_GE(charged, 8);
  train(engine);
  EXPECT_EQ(engine.steps(), 30);
  EXPECT_EQ(Ledger::read(path()).steps_charged, 30);
}

TEST_F(ResumeTest, AnotherPlanIsRefused) {
  { auto engine = open(optimizer, options(1)); }
  auto other = options(1);
  other.max_grad_norm = 2;
  EXPECT_THROW(open(optimizer, other), InvalidArgument);
  EXPECT_THROW(open(optimizer, options(0.9)), InvalidArgument);
  EXPECT_NO_THROW(open(optimizer, options(1, 99)));
}

TEST_F(ResumeTest, CheckpointOfAnotherPlanOrLedgerIsRefused) {
  std::string checkpoint;
  {
    auto engine = open(optimizer, options(1));
    step(engine, 2);
    checkpoint = engine.checkpoint();
  }
  std::filesystem::remove(path());
  auto fresh = open(optimizer, options(1));  // the ledger was put back to nothing
  EXPECT_THROW(fresh.restore(checkpoint), InvalidArgument);
  auto without = make_private(*model, optimizer, options(1));
  EXPECT_THROW(without.restore(checkpoint), InvalidArgument);
  EXPECT_THROW(fresh.restore("{}"), InvalidArgument);
  EXPECT_THROW(fresh.restore("no JSON"), InvalidArgument);
}

TEST_F(ResumeTest, AThresholdThatThePlanDoesNotAllowIsRefused) {
  auto engine = open(optimizer, options(1));
  step(engine, 2);
  auto checkpoint = nlohmann::json::parse(engine.checkpoint());
  for (const double norm : {1e-45, 0.5, 1e300}) {
    checkpoint["max_grad_norm"] = norm;
    EXPECT_THROW(engine.restore(checkpoint.dump()), InvalidArgument) << norm;
  }
  checkpoint["max_grad_norm"] = options(1).max_grad_norm;
  engine.restore(checkpoint.dump());
}

TEST_F(ResumeTest, AdaptiveThresholdIsRestored) {
  auto plan = options(1, 30);
  plan.clipping = AdaptiveClipping{};
  std::string checkpoint;
  double threshold = 0;
  {
    auto engine = open(optimizer, plan);
    step(engine, 5);
    threshold = engine.max_grad_norm();
    checkpoint = engine.checkpoint();
  }
  EXPECT_NE(threshold, 1);
  auto engine = open(optimizer, plan);
  engine.restore(checkpoint);
  EXPECT_EQ(engine.max_grad_norm(), threshold);
}

TEST_F(ResumeTest, ABegunShuffledPassIsChargedToItsEnd) {
  auto plan = options(1, 30);
  plan.sampling = accounting::Sampling::kShuffled;  // 10 steps a pass
  {
    auto engine = open(optimizer, plan);
    step(engine, 3);
  }
  auto engine = open(optimizer, plan);
  EXPECT_EQ(engine.steps(), 10);
}

TEST_F(ResumeTest, ASeededLedgerIsNotContinuedAsPrivate) {
  {
    auto engine =
        make_private(*model, optimizer, options(1), {.ledger = path(), .insecure_seed = 1});
    step(engine, 2);
  }
  EXPECT_THROW(open(optimizer, options(1)), InvalidArgument);
}

TEST_F(ResumeTest, ACheckpointWithoutLedgerIsEnteredIntoTheNewOne) {
  std::string checkpoint;
  {
    auto engine = make_private(*model, optimizer, options(1, 30));
    step(engine, 6);
    checkpoint = engine.checkpoint();
  }
  auto engine = open(optimizer, options(1, 30));
  engine.restore(checkpoint);
  EXPECT_EQ(engine.steps(), Ledger::read(path()).steps_charged);
  EXPECT_GE(engine.steps(), 6);
}

TEST_F(ResumeTest, NoRestoreInsideABatch) {
  auto plan = options(1);
  plan.batch_size = 100;
  auto engine = make_private(*model, optimizer, plan, {.max_physical_batch_size = 10});
  const auto checkpoint = engine.checkpoint();
  ASSERT_TRUE(engine.next_batch());
  EXPECT_THROW(engine.restore(checkpoint), std::logic_error);
}

TEST_F(ResumeTest, ReleasesThatItCannotPriceAreRefused) {
  {
    auto ledger = Ledger::create(path(), json_of(Plan(options(1))));
    ledger.charge_event("laplace", {{"epsilon", 5}});
  }
  EXPECT_THROW(open(optimizer, options(1)), InvalidArgument);
}

TEST_F(ResumeTest, BudgetAlreadySpentMeansNoFurtherStep) {
  {
    auto engine = open(optimizer, options(1, 10));
    train(engine);
  }
  auto engine = open(optimizer, options(1, 10));
  engine.accept_lost_steps();
  EXPECT_FALSE(engine.next_batch().has_value());
}

// What next_batch() throws; "" if nothing.
std::string complaint_of(PrivacyEngine& engine) {
  try {
    static_cast<void>(engine.next_batch());
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

// Never in silence: new weights, with what another model has left of the budget.
TEST_F(ResumeTest, AnExistingLedgerWithoutRestoreIsRefused) {
  {
    auto engine = open(optimizer, options(1, 10));
    step(engine, 4);
  }
  auto engine = open(optimizer, options(1, 10));
  EXPECT_EQ(engine.lost_steps(), 4);
  const auto complaint = complaint_of(engine);
  for (const auto* words : {"4 steps", "restore", "new ledger", "accept_lost_steps()"}) {
    EXPECT_NE(complaint.find(words), std::string::npos) << complaint;
  }
  EXPECT_EQ(complaint_of(engine), complaint);  // again
  EXPECT_EQ(Ledger::read(path()).steps_charged, 4);
  engine.accept_lost_steps();
  train(engine);
  EXPECT_EQ(Ledger::read(path()).steps_charged, 10);
  EXPECT_EQ(complaint_of(engine), "");  // the end is no surprise
}

TEST_F(ResumeTest, ACheckpointBehindALedgerWithNothingLeftIsRefused) {
  std::string early;
  std::string last;
  {
    auto engine = open(optimizer, options(1, 10));
    step(engine, 3);
    early = engine.checkpoint();
    train(engine);
    last = engine.checkpoint();
  }
  {
    auto engine = open(optimizer, options(1, 10));
    engine.restore(early);
    EXPECT_EQ(engine.lost_steps(), 7);
    const auto complaint = complaint_of(engine);
    for (const auto* words : {"10 steps", "7 of them", "later checkpoint", "accept_lost_steps()"}) {
      EXPECT_NE(complaint.find(words), std::string::npos) << complaint;
    }
    engine.accept_lost_steps();
    EXPECT_FALSE(engine.next_batch().has_value());
    EXPECT_EQ(engine.steps(), 10);
  }
  auto engine = open(optimizer, options(1, 10));
  engine.restore(last);
  EXPECT_EQ(engine.lost_steps(), 0);
  EXPECT_FALSE(engine.next_batch().has_value());
}

TEST_F(ResumeTest, TheRestOfABegunPassIsLost) {
  auto plan = options(1, 10);
  plan.sampling = accounting::Sampling::kShuffled;  // 10 steps a pass
  std::string checkpoint;
  {
    auto engine = open(optimizer, plan);
    step(engine, 3);
    checkpoint = engine.checkpoint();
  }
  auto engine = open(optimizer, plan);
  engine.restore(checkpoint);
  EXPECT_EQ(engine.lost_steps(), 7);
  EXPECT_NE(complaint_of(engine), "");
}

}  // namespace
}  // namespace sotto
