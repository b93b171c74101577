// Never: adaptive clipping's count query not charged; and with adaptive clipping, threshold and
// noise disagreeing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/simple_trainer.h"

namespace sotto {
namespace {

using testing::HasSubstr;

using torch::Tensor;

constexpr double kTotalNoise = 2;
constexpr double kCountNoise = 1.2;

PlanOptions adaptive_plan(const Task& task, std::int64_t steps) {
  auto plan = observed_plan(task, /*batch_size=*/30, kTotalNoise, steps);
  plan.clipping = AdaptiveClipping{.learning_rate = 0.02, .count_noise = kCountNoise};
  return plan;
}

double learning_rate(const Plan& plan) {
  return std::get<AdaptiveClipping>(plan.options().clipping).learning_rate;
}

// The noise in each step's count of unclipped samples, as the next threshold gives it away.
Tensor observed_count_noise(const PlanOptions& plan, const ObservedRun& run) {
  std::vector<double> noise;
  const auto& adaptive = std::get<AdaptiveClipping>(plan.clipping);
  for (const auto& step : run.steps) {  // all gradients are tiny: nobody is clipped
    const double fraction =
        adaptive.target_quantile - std::log(step.next_bound / step.bound) / adaptive.learning_rate;
    noise.push_back((fraction - 0.5) * static_cast<double>(plan.batch_size) -
                    0.5 * static_cast<double>(step.records.size()));
  }
  return torch::tensor(noise, torch::kDouble);
}

// Gradient and count together must be as noisy as the plan's multiplier says (arXiv:1905.03871,
// Theorem 1), the count over a public number.
std::string why_count_is_not_paid_for(const Trainer& trainer) {
  Task task;
  task.scales.fill_(1e-9);  // zero has no vote
  const std::int64_t steps = 400;
  const auto plan = adaptive_plan(task, steps);
  const auto run = trainer(task, plan, 0);
  const Tensor count_noise = observed_count_noise(plan, run);
  std::vector<double> sizes;
  for (const auto& step : run.steps) sizes.push_back(static_cast<double>(step.records.size()));
  const double gradient =
      Plan(plan).gradient_noise_multiplier() * observed_noise(task, plan, run).std().item<double>();
  const double count = 2 * count_noise.square().mean().sqrt().item<double>();
  const double together = std::pow(std::pow(gradient, -2) + std::pow(count, -2), -0.5);
  if (!(together > 0.85 * kTotalNoise)) return "multiplier " + std::to_string(together);
  const double correlation =
      torch::corrcoef(torch::stack({count_noise, torch::tensor(sizes, torch::kDouble)}))[0][1]
          .item<double>();
  if (std::abs(correlation) > 6 / std::sqrt(steps)) return "the size of the batch shows";
  return "";
}

TEST(NeverAdaptive, TheEnginePaysForTheCount) {
  EXPECT_EQ(why_count_is_not_paid_for(train_with_engine), "");
  EXPECT_EQ(why_count_is_not_paid_for(SimpleTrainer{}), "");
}

TEST(NeverAdaptive, CountQueryNotCharged) {
  SimpleTrainer bug;
  bug.deviation = [](const Plan&, double bound) { return kTotalNoise * bound; };
  EXPECT_THAT(why_count_is_not_paid_for(bug), HasSubstr("multiplier"));
}

TEST(NeverAdaptive, CountWithoutNoise) {
  SimpleTrainer bug;
  bug.adapt = [](const Plan& plan, double bound, std::int64_t drawn, std::int64_t unclipped) {
    const double centred = static_cast<double>(unclipped) - 0.5 * static_cast<double>(drawn);
    const double fraction = centred / static_cast<double>(plan.batch_size()) + 0.5;
    return bound * std::exp(-learning_rate(plan) * (fraction - 0.5));
  };
  EXPECT_THAT(why_count_is_not_paid_for(bug), HasSubstr("multiplier"));
}

TEST(NeverAdaptive, CountDividedByTheActualBatchSize) {
  SimpleTrainer bug;
  bug.adapt = [](const Plan& plan, double bound, std::int64_t drawn, std::int64_t unclipped) {
    const double noise = plan.count_noise() * torch::randn({1}).item<double>();
    const double fraction = (static_cast<double>(unclipped) + noise) / static_cast<double>(drawn);
    return bound * std::exp(-learning_rate(plan) * (fraction - 0.5));
  };
  EXPECT_THAT(why_count_is_not_paid_for(bug), HasSubstr("size of the batch shows"));
}

// While the threshold moves fast, every step's noise and clipping go by the same one.
std::string why_noise_lags_behind(const Trainer& trainer) {
  Task task;
  auto plan = adaptive_plan(task, 20);
  std::get<AdaptiveClipping>(plan.clipping).learning_rate = 1;
  plan.max_grad_norm = 100;
  for (const std::int64_t parts : {0, 7}) {
    const Tensor noise = observed_noise(task, plan, trainer(task, plan, parts));
    const Tensor deviations = noise.std(1);
    if ((deviations - 1).abs().max().item<double>() > 0.25) {  // 7 standard errors
      return "deviations from " + std::to_string(deviations.min().item<double>()) + " to " +
             std::to_string(deviations.max().item<double>());
    }
  }
  return "";
}

TEST(NeverAdaptive, TheEnginesNoiseFollowsTheThreshold) {
  EXPECT_EQ(why_noise_lags_behind(train_with_engine), "");
  EXPECT_EQ(why_noise_lags_behind(SimpleTrainer{}), "");
}

TEST(NeverAdaptive, NoiseScaledToTheFirstThreshold) {
  SimpleTrainer bug;
  bug.deviation = [](const Plan& plan, double) {
    return plan.gradient_noise_multiplier() * plan.options().max_grad_norm;
  };
  EXPECT_THAT(why_noise_lags_behind(bug), HasSubstr("deviations"));
}

TEST(NeverAdaptive, NoiseScaledToTheThresholdOfTheStepBefore) {
  double before = 100;
  SimpleTrainer bug;
  bug.deviation = [&](const Plan& plan, double bound) {
    const double used = before;
    before = bound;
    return plan.gradient_noise_multiplier() * used;
  };
  EXPECT_THAT(why_noise_lags_behind(bug), HasSubstr("deviations"));
}

// The threshold changes with every micro-batch, the noise goes by the last one.
TEST(NeverAdaptive, ThresholdChangedInsideALogicalBatch) {
  int part = 0;
  SimpleTrainer bug;
  bug.clip = [&](const Tensor& gradients, double bound) {
    return SimpleTrainer::clip_each(gradients, bound * std::pow(3.0, part++ % 3));
  };
  Task task;
  auto plan = full_batch_plan(task, kHardlyAnyNoise, 1);
  plan.max_grad_norm = 0.01;
  const auto far_from_sum = [&](const Trainer& trainer) {
    const auto step = trainer(task, plan, 20).steps.at(0);
    const Tensor expected = task.clipped_sum(step.records, step.bound, step.before);
    return (step.update * static_cast<double>(task.records()) - expected).norm().item<double>() /
           expected.norm().item<double>();
  };
  EXPECT_LT(far_from_sum(train_with_engine), 1e-3);
  EXPECT_GT(far_from_sum(bug), 1e-3);
}

}  // namespace
}  // namespace sotto
