// Never: clip threshold and noise scale disagreeing (ghost mode, per-layer, virtual batches; for
// adaptive clipping see never_adaptive_test.cpp).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/simple_trainer.h"

namespace sotto {
namespace {

using testing::HasSubstr;

using torch::Tensor;

constexpr std::int64_t kClippedRecords = 12;
constexpr double kClippedBound = 0.3;
constexpr double kClippedNoise = 5;

PlanOptions clipped_plan(const Task& task, double noise, std::int64_t steps,
                         const Clipping& clipping) {
  auto plan = full_batch_plan(task, noise, steps);
  plan.max_grad_norm = kClippedBound;
  plan.clipping = clipping;
  return plan;
}

// Data sets with records that one would pick to be found out: a few much heavier than others, all
// heavy, all light.
std::vector<Task> awkward_tasks() {
  std::vector<Task> tasks;
  for (int i = 0; i < 4; ++i) tasks.emplace_back(kClippedRecords);
  tasks[1].scales[3] = 1e4;
  tasks[2].scales.fill_(1e3);
  tasks[3].scales.fill_(1e-2);
  for (auto& task : tasks) task.inputs[5] *= -20;
  return tasks;
}

// How far one record can move the sum, measured: each in turn is made to contribute nothing.
double measured_sensitivity(const Trainer& trainer, const Clipping& clipping, std::int64_t parts) {
  double largest = 0;
  for (auto& task : awkward_tasks()) {
    const auto plan = clipped_plan(task, kHardlyAnyNoise, 1, clipping);
    const Tensor with = trainer(task, plan, parts).steps.at(0).update;
    for (std::int64_t record = 0; record < kClippedRecords; ++record) {
      const Tensor scale = task.scales[record].clone();
      task.scales[record] = 0;
      const Tensor without = trainer(task, plan, parts).steps.at(0).update;
      task.scales[record] = scale;
      largest = std::max(largest, (with - without).norm().item<double>() * kClippedRecords);
    }
  }
  return largest;
}

// The standard deviation of the noise on the sum, measured where there is nothing else.
double measured_deviation(const Trainer& trainer, const Clipping& clipping, std::int64_t parts) {
  Task task(kClippedRecords);
  task.scales.zero_();
  double squares = 0;
  const int runs = 20;
  for (int run = 0; run < runs; ++run) {
    const auto plan = clipped_plan(task, kClippedNoise, 1, clipping);
    squares += trainer(task, plan, parts).steps.at(0).update.square().mean().item<double>();
  }
  return std::sqrt(squares / runs) * kClippedRecords;
}

// What the accountant prices is noise over sensitivity: it must be at least the plan's multiplier.
std::string why_noise_does_not_cover(const Trainer& trainer, Clipping clipping = FlatClipping{}) {
  for (const std::int64_t parts : {0, 5}) {
    const double sensitivity = measured_sensitivity(trainer, clipping, parts);
    const double multiplier = measured_deviation(trainer, clipping, parts) / sensitivity;
    if (sensitivity < 0.3 * kClippedBound) return "nothing was measured";
    if (!(multiplier > 0.95 * kClippedNoise)) {  // 6 standard errors
      return "multiplier " + std::to_string(multiplier) + ", sensitivity " +
             std::to_string(sensitivity);
    }
  }
  return "";
}

TEST(NeverClipping, TheEnginesNoiseCoversOneRecordHoweverItClips) {
  for (const Clipping& clipping :
       {Clipping(FlatClipping{}), Clipping(PerLayerClipping{}), Clipping(AutomaticClipping{})}) {
    EXPECT_EQ(why_noise_does_not_cover(train_with_engine, clipping), "") << to_string(clipping);
  }
  EXPECT_EQ(why_noise_does_not_cover(SimpleTrainer{}), "");
}

Tensor scaled_to(const Tensor& g, double bound) {
  return g * std::min(1.0, bound / std::max(1e-30, g.norm().item<double>()));
}

TEST(NeverClipping, TheBatchMeanInsteadOfEverySample) {
  SimpleTrainer bug;
  bug.clip = [](const Tensor& gradients, double bound) {
    return scaled_to(gradients.mean(0), bound) * gradients.size(0);
  };
  EXPECT_THAT(why_noise_does_not_cover(bug), HasSubstr("multiplier"));
}

TEST(NeverClipping, TheSumOfAMicroBatchInsteadOfEverySample) {
  SimpleTrainer bug;
  bug.clip = [](const Tensor& gradients, double bound) {
    return scaled_to(gradients.sum(0), bound);
  };
  EXPECT_THAT(why_noise_does_not_cover(bug), HasSubstr("multiplier"));
}

TEST(NeverClipping, EveryElementInsteadOfTheNorm) {
  SimpleTrainer bug;
  bug.clip = [](const Tensor& gradients, double bound) {
    return gradients.clamp(-bound, bound).sum(0);
  };
  EXPECT_THAT(why_noise_does_not_cover(bug), HasSubstr("multiplier"));
}

// Each layer at C, accounted as if the whole gradient were.
TEST(NeverClipping, EveryLayerAtTheFullThreshold) {
  SimpleTrainer bug;
  bug.clip = [](const Tensor& gradients, double bound) {
    const auto sizes = Task(1).sizes();
    std::vector<Tensor> sums;
    for (const auto& layer : gradients.split_with_sizes(sizes, 1)) {
      sums.push_back(SimpleTrainer::clip_each(layer, bound));
    }
    return torch::cat(sums);
  };
  EXPECT_THAT(why_noise_does_not_cover(bug), HasSubstr("multiplier"));
}

// Ghost clipping that kept its own default.
TEST(NeverClipping, AtAnotherThresholdThanTheNoiseIsScaledTo) {
  SimpleTrainer bug;
  bug.clip = [](const Tensor& gradients, double) {
    return SimpleTrainer::clip_each(gradients, 1.0);
  };
  EXPECT_THAT(why_noise_does_not_cover(bug), HasSubstr("multiplier"));
}

// A norm that misses a part: biases of three-dimensional data, a layer used twice.
TEST(NeverClipping, ByANormThatLeavesAParameterOut) {
  SimpleTrainer bug;
  bug.clip = [](const Tensor& gradients, double bound) {
    const Tensor norms = gradients.narrow(1, 0, 240).norm(2, {1}, true);  // the first weight's
    return (gradients * (bound / norms).clamp_max(1)).sum(0);
  };
  EXPECT_THAT(why_noise_does_not_cover(bug), HasSubstr("multiplier"));
}

TEST(NeverClipping, NoneAtAll) {
  SimpleTrainer bug;
  bug.clip = [](const Tensor& gradients, double) { return gradients.sum(0); };
  EXPECT_THAT(why_noise_does_not_cover(bug), HasSubstr("multiplier"));
}

}  // namespace
}  // namespace sotto
