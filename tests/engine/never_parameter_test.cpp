// Never: a trainable parameter without per-sample gradient silently updated un-noised.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sotto/core/error.h"
#include "tests/engine/simple_trainer.h"

namespace sotto {
namespace {

using testing::HasSubstr;

using torch::Tensor;

// Every parameter moves by the plan's noise, the one that no sample reaches included.
std::string why_a_parameter_lacks_noise(const Trainer& trainer) {
  const Task task;
  const auto plan = observed_plan(task, 20, 2, /*steps=*/20);
  const Tensor noise = observed_noise(task, plan, trainer(task, plan, 0));
  std::int64_t begin = 0;
  for (const auto size : task.sizes()) {
    const double deviation = noise.narrow(1, begin, size).std().item<double>();
    // 6 standard errors
    if (!(std::abs(deviation - 1) <
          6 / std::sqrt(2.0 * static_cast<double>(size * noise.size(0))))) {
      return "parameter of " + std::to_string(size) + " has " + std::to_string(deviation);
    }
    begin += size;
  }
  return "";
}

TEST(NeverParameter, TheEngineNoisesThemAll) {
  EXPECT_EQ(why_a_parameter_lacks_noise(train_with_engine), "");
  EXPECT_EQ(why_a_parameter_lacks_noise(SimpleTrainer{}), "");
}

SimpleTrainer without_noise_on(std::size_t parameter) {
  SimpleTrainer bug;
  bug.noise = [=](const Task& task, std::int64_t) {
    auto parts = torch::randn(task.start.sizes()).split_with_sizes(task.sizes());
    parts[parameter].zero_();
    return torch::cat(parts);
  };
  return bug;
}

TEST(NeverParameter, UpdatedWithoutNoise) {
  const auto count = Task().sizes().size();
  for (std::size_t parameter = 0; parameter < count; ++parameter) {
    EXPECT_THAT(why_a_parameter_lacks_noise(without_noise_on(parameter)), HasSubstr("parameter of"))
        << parameter;
  }
}

// The engine with one thing put in its way: whether it refuses, or leaves everything as it was.
class NeverParameterTest : public testing::Test {
 protected:
  Task task;
  torch::optim::SGD optimizer{task.model->parameters(), 1.0};
  PlanOptions plan = full_batch_plan(task, 1, 1);

  void expect_refused(PrivacyEngine& engine, const Tensor& losses) {
    EXPECT_THROW(engine.step(losses), InvalidArgument);
    EXPECT_EQ(engine.steps(), 0);
    EXPECT_TRUE(torch::equal(task.weights(), task.start));
  }
};

TEST_F(NeverParameterTest, OfAnotherModelInTheOptimizer) {
  torch::nn::Linear other(2, 2);
  optimizer.add_param_group(torch::optim::OptimizerParamGroup(other->parameters()));
  EXPECT_THROW(make_private(*task.model, optimizer, plan), InvalidArgument);
}

TEST_F(NeverParameterTest, PutIntoTheOptimizerLater) {
  auto engine = make_private(*task.model, optimizer, plan);
  torch::nn::Linear other(2, 2);
  for (auto& parameter : other->parameters())
    parameter.mutable_grad() = torch::ones_like(parameter);
  const Tensor before = other->weight.detach().clone();
  optimizer.add_param_group(torch::optim::OptimizerParamGroup(other->parameters()));
  const auto batch = engine.next_batch();
  expect_refused(engine, task.losses(batch->indices));
  EXPECT_TRUE(torch::equal(before, other->weight));
}

TEST_F(NeverParameterTest, MadeTrainableLater) {
  auto unused = task.model->parameters().back();
  unused.set_requires_grad(false);
  auto engine = make_private(*task.model, optimizer, plan);
  unused.set_requires_grad(true);
  unused.mutable_grad() = torch::ones_like(unused);
  const auto batch = engine.next_batch();
  expect_refused(engine, task.losses(batch->indices));
}

TEST_F(NeverParameterTest, FrozenWithAnOldGradientStaysWhereItIs) {
  auto unused = task.model->parameters().back();
  unused.set_requires_grad(false);
  unused.mutable_grad() = torch::ones_like(unused);
  const Tensor before = unused.clone();
  auto engine = make_private(*task.model, optimizer, plan);
  engine.step(task.losses(engine.next_batch()->indices));
  EXPECT_EQ(engine.steps(), 1);
  EXPECT_TRUE(torch::equal(before, unused));
  EXPECT_FALSE(torch::equal(task.weights(), task.start));
}

TEST_F(NeverParameterTest, UsedByAnOperationWithoutARule) {
  auto engine = make_private(*task.model, optimizer, plan);
  const auto batch = engine.next_batch();
  const Tensor sorted = std::get<0>(task.model->parameters().back().sort());
  expect_refused(engine, task.losses(batch->indices) * sorted[0]);
}

// A gradient from an ordinary backward pass is replaced, not added to.
TEST_F(NeverParameterTest, WithAGradientFromElsewhere) {
  plan.noise_multiplier = kHardlyAnyNoise;
  auto engine = make_private(*task.model, optimizer, plan);
  const auto batch = engine.next_batch();
  (1e3 * task.losses(batch->indices)).sum().backward();
  engine.step(task.losses(batch->indices));
  const double moved = (task.weights() - task.start).norm().item<double>();
  EXPECT_LE(moved, plan.max_grad_norm);  // the mean of contributions of at most C each
  EXPECT_GT(moved, 0);
}

}  // namespace
}  // namespace sotto
