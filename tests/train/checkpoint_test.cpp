// Your own loop, resumed from one file: the same spend, the same weights.
#include "sotto/train/checkpoint.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "plan/ledger.h"
#include "sotto/core/error.h"
#include "tests/engine/training_fixture.h"

namespace sotto::train {
namespace {

class CheckpointTest : public TrainingFixture {
 protected:
  static constexpr std::int64_t kSteps = 30;
  static constexpr double kDelta = 1e-5;

  std::filesystem::path ledger() const { return folder / "ledger.jsonl"; }
  std::filesystem::path checkpoint() const { return folder / "checkpoint"; }
  PrivacyEngine open(torch::optim::Optimizer& optimizer, std::int64_t steps = kSteps) {
    return make_private(*model, optimizer, options(1, steps), {.ledger = ledger()});
  }
  void advance_to(PrivacyEngine& engine, std::int64_t end) {
    while (engine.steps() < end) {
      const auto batch = engine.next_batch();
      ASSERT_TRUE(batch);
      engine.step(losses(batch->indices));
    }
  }

  TemporaryFolder folder;
};

TEST_F(CheckpointTest, ARunGoesOnWithTheSpendOfOneThatWasNotInterrupted) {
  torch::Tensor trained;
  {
    torch::optim::Adam optimizer(model->parameters(), 0.01);
    auto engine = open(optimizer);
    advance_to(engine, 12);
    save_checkpoint(checkpoint(), engine, *model, optimizer);
    trained = weights();
  }
  model = make_model();
  torch::optim::Adam optimizer(model->parameters(), 0.01);
  auto engine = open(optimizer);
  load_checkpoint(checkpoint(), engine, *model, optimizer);
  EXPECT_TRUE(torch::equal(weights(), trained));
  EXPECT_EQ(engine.steps(), 12);
  EXPECT_EQ(engine.lost_steps(), 0);
  advance_to(engine, kSteps);
  EXPECT_FALSE(engine.next_batch());
  EXPECT_EQ(Ledger::read(ledger()).steps_charged, kSteps);
  torch::optim::SGD plain(model->parameters(), 0.1);
  auto whole = make_private(*model, plain, options(1, kSteps));
  advance_to(whole, kSteps);
  EXPECT_EQ(engine.privacy_spent(kDelta).epsilon, whole.privacy_spent(kDelta).epsilon);
}

// The optimizer's memory comes back: with no noise in the way, the next step is the same.
TEST_F(CheckpointTest, TheOptimizerRemembers) {
  const auto one_more = [&](PrivacyEngine& engine) {
    advance_to(engine, engine.steps() + 1);
    return weights();
  };
  const auto full = [&](torch::optim::Optimizer& optimizer) {
    auto plan = options(1e-12, kSteps);
    plan.batch_size = kRecords;
    plan.sampling = accounting::Sampling::kNone;
    return make_private(*model, optimizer, plan);
  };
  torch::optim::SGD optimizer(model->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));
  auto engine = full(optimizer);
  advance_to(engine, 5);
  save_checkpoint(checkpoint(), engine, *model, optimizer);
  const auto expected = one_more(engine);
  torch::optim::SGD fresh(model->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9));
  auto resumed = full(fresh);
  load_checkpoint(checkpoint(), resumed, *model, fresh);
  EXPECT_TRUE(torch::allclose(one_more(resumed), expected, 1e-5, 1e-6));
}

TEST_F(CheckpointTest, WhatTheLedgerChargedLaterCounts) {
  {
    torch::optim::SGD optimizer(model->parameters(), 0.1);
    auto engine = open(optimizer);
    advance_to(engine, 5);
    save_checkpoint(checkpoint(), engine, *model, optimizer);
    advance_to(engine, 9);  // and the process dies
  }
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto engine = open(optimizer);
  load_checkpoint(checkpoint(), engine, *model, optimizer);
  EXPECT_EQ(engine.steps(), 9);
  EXPECT_EQ(engine.lost_steps(), 4);
  advance_to(engine, kSteps);
  EXPECT_EQ(Ledger::read(ledger()).steps_charged, kSteps);
}

TEST_F(CheckpointTest, WhatDoesNotFitIsRefused) {
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto engine = open(optimizer);
  advance_to(engine, 2);
  save_checkpoint(checkpoint(), engine, *model, optimizer);
  auto without_ledger = make_private(*model, optimizer, options(1, kSteps));
  EXPECT_THROW(load_checkpoint(checkpoint(), without_ledger, *model, optimizer), InvalidArgument);
  torch::nn::Sequential other(torch::nn::Linear(6, 9), torch::nn::Linear(9, 2));
  EXPECT_THROW(load_checkpoint(checkpoint(), engine, *other, optimizer), InvalidArgument);
  EXPECT_THROW(load_checkpoint(folder / "none", engine, *model, optimizer), FileError);
  write_file_atomically(checkpoint(), read_file(checkpoint()).substr(0, 300));
  EXPECT_THROW(load_checkpoint(checkpoint(), engine, *model, optimizer), InvalidArgument);
}

}  // namespace
}  // namespace sotto::train
