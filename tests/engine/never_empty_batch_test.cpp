// Never: an empty Poisson batch skipped: it must still be noised, stepped and charged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/simple_trainer.h"

namespace sotto {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kSteps = 60;  // of one record each on average: a third draws nobody

std::string why_empty_batches_are_wrong(const Trainer& trainer) {
  const Task task;
  auto plan = observed_plan(task, /*batch_size=*/1, /*noise_multiplier=*/2, kSteps);
  plan.max_grad_norm = 0.5;
  const auto run = trainer(task, plan, 0);
  if (run.executed() != kSteps) return std::to_string(run.executed()) + " steps executed";
  if (run.charged != kSteps) return std::to_string(run.charged) + " steps charged";
  if (run.epsilon < SimpleTrainer::honest_claim(Plan(plan), kSteps)) return "ε too low";
  const auto noise = observed_noise(task, plan, run);
  std::int64_t empty = 0;
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    if (!run.steps[i].records.empty()) continue;
    empty += run.steps[i].steps;
    const double deviation = noise[static_cast<std::int64_t>(i)].std().item<double>();
    if (std::abs(deviation - 1) > 0.25) return "noise of " + std::to_string(deviation);
  }
  if (empty < 3) return "only " + std::to_string(empty) + " of them executed";  // expected: 22
  plan.noise_multiplier = kHardlyAnyNoise;
  for (const auto& step : trainer(task, plan, 0).steps) {
    if (!step.records.empty()) continue;
    if (step.update.abs().max().item<double>() > 1e-6) return "somebody is in it";
  }
  return "";
}

TEST(NeverEmptyBatch, TheEngineStepsOnNoiseAlone) {
  EXPECT_EQ(why_empty_batches_are_wrong(train_with_engine), "");
  EXPECT_EQ(why_empty_batches_are_wrong(SimpleTrainer{}), "");
}

TEST(NeverEmptyBatch, Skipped) {
  SimpleTrainer bug;
  bug.executes = [](bool empty) { return !empty; };
  EXPECT_THAT(why_empty_batches_are_wrong(bug), HasSubstr("steps executed"));
}

TEST(NeverEmptyBatch, DrawnAgainUntilThereIsSomebody) {
  SimpleTrainer bug;
  bug.use_batch = [](const auto& drawn) {
    return drawn.empty() ? std::vector<std::int64_t>{7} : drawn;
  };
  EXPECT_THAT(why_empty_batches_are_wrong(bug), HasSubstr("of them executed"));
}

TEST(NeverEmptyBatch, SteppedWithoutNoise) {
  SimpleTrainer bug;
  bug.noises = [](bool empty) { return !empty; };
  EXPECT_THAT(why_empty_batches_are_wrong(bug), HasSubstr("noise of"));
}

TEST(NeverEmptyBatch, NotCharged) {
  SimpleTrainer bug;
  bug.charges = [](bool empty) { return !empty; };
  EXPECT_THAT(why_empty_batches_are_wrong(bug), HasSubstr("steps charged"));
}

// Adding the record that was made up for then moves the sum twice as far.
TEST(NeverEmptyBatch, FilledWithAMadeUpRecord) {
  SimpleTrainer bug;
  bug.clip = [](const torch::Tensor& gradients, double bound) {
    if (gradients.size(0) > 0) return SimpleTrainer::clip_each(gradients, bound);
    return torch::full({gradients.size(1)}, bound / std::sqrt(gradients.size(1)), torch::kDouble);
  };
  EXPECT_THAT(why_empty_batches_are_wrong(bug), HasSubstr("somebody is in it"));
}

}  // namespace
}  // namespace sotto
