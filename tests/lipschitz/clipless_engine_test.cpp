#include <gmock/gmock.h>

#include <cmath>

#include "sotto/core/error.h"
#include "tests/lipschitz/clipless_fixture.h"
#include "tests/lipschitz/exact_norms.h"

namespace sotto::lipschitz {
namespace {

using testing::HasSubstr;
using torch::Tensor;

class CliplessEngineTest : public CliplessFixture {
 protected:
  template <typename Action>
  static std::string complaint(Action action) {
    try {
      action();
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  }

  // What one step on all records of a fresh network gives to the optimizer, times 60.
  std::vector<Tensor> one_step(const EngineOptions& options) {
    use_fresh_network();
    auto engine = open(full_plan(kHardlyNoisy, 1), options);
    train(engine);
    auto sums = optimizer->gradients.at(0);
    for (auto& sum : sums) sum *= static_cast<double>(kCliplessRecords);
    return sums;
  }

  // The same without an engine, of these records.
  std::vector<Tensor> sum_without_engine(const Tensor& records) {
    use_fresh_network();
    model->project();  // as the engine does before it begins
    return sum_of_gradients(records);
  }

  void use_fresh_network() {
    torch::manual_seed(8);
    use(make_network("lip-mlp", {{6}, 2}));
  }

  // To rounding, relative to the largest entry: every sample is cut off to 2^-20 of its bound.
  static void expect_close(const std::vector<Tensor>& one, const std::vector<Tensor>& other) {
    ASSERT_EQ(one.size(), other.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
      const double largest = other[i].abs().max().item<double>();
      EXPECT_LE((one[i] - other[i]).abs().max().item<double>(), 1e-4 * largest) << i;
    }
  }
};

TEST_F(CliplessEngineTest, StepIsTheSumOverThePlansBatchSize) {
  auto engine = open(plan(kHardlyNoisy, 4));
  while (auto batch = engine.next_batch()) {
    const Tensor drawn = batch->indices.masked_select(batch->is_drawn);
    auto expected = sum_of_gradients(drawn);
    for (auto& sum : expected) sum /= 20;
    const auto report = step(engine, *batch);
    EXPECT_TRUE(report.stepped);
    EXPECT_EQ(report.samples, drawn.size(0));
    EXPECT_EQ(report.losses.size(0), drawn.size(0));
    expect_close(optimizer->gradients.back(), expected);
  }
}

TEST_F(CliplessEngineTest, MoreSamplesThanAreLookedAtTogether) {
  inputs = torch::randn({5000, 6});
  labels = (inputs.select(1, 0) > 0).to(torch::kLong);
  const auto whole = sum_without_engine(torch::arange(5000));
  use_fresh_network();
  auto engine = open(full_plan(kHardlyNoisy, 1));
  const auto batch = engine.next_batch();
  const auto report = step(engine, *batch);
  EXPECT_EQ(report.samples, 5000);
  EXPECT_EQ(report.losses.size(0), 5000);
  auto sums = optimizer->gradients.at(0);
  for (auto& sum : sums) sum *= 5000;
  expect_close(sums, whole);
}

TEST_F(CliplessEngineTest, PartsOfABatchGiveTheSameSum) {
  const auto whole = sum_without_engine(torch::arange(kCliplessRecords));
  for (const std::int64_t parts : {0, 1, 7, 59}) {
    expect_close(one_step({.max_physical_batch_size = parts, .insecure_seed = 3}), whole);
  }
}

TEST_F(CliplessEngineTest, TheBoundsOfThePlanMustBeTheModels) {
  const auto with_bounds = [&](std::vector<double> bounds) {
    auto options = plan(1, 1);
    options.bounded->bounds = std::move(bounds);
    return complaint([&] { open(options); });
  };
  const auto right = plan(1, 1).bounded->bounds;
  EXPECT_EQ(with_bounds(right), "");
  EXPECT_THAT(with_bounds({right[0] * 0.5, right[1]}), HasSubstr("not those of the model"));
  EXPECT_THAT(with_bounds({right[0]}), HasSubstr("not those of the model"));
  EXPECT_THAT(with_bounds({}), HasSubstr("not those of the model"));
}

TEST_F(CliplessEngineTest, APlanForAnotherThresholdIsRefused) {
  auto options = plan(1, 1, /*loss_gradient=*/0.5);
  options.max_grad_norm = 1;
  EXPECT_THAT(complaint([&] { open(options); }), HasSubstr("not those of the model"));
}

TEST_F(CliplessEngineTest, CoefficientsMustFit) {
  auto options = plan(1, 1);
  options.bounded->strategy = NoiseStrategy::kPerLayer;
  options.bounded->coefficients = {1, 2, 3};
  EXPECT_THAT(complaint([&] { open(options); }), HasSubstr("3 coefficients for 2"));
  for (const double bad : {0.0, -1.0, std::nan("")}) {
    options.bounded->coefficients = {1, bad};
    EXPECT_THAT(complaint([&] { open(options); }), HasSubstr("must be from 1e-6 to 1e6")) << bad;
  }
}

TEST_F(CliplessEngineTest, OtherClippingIsRefused) {
  for (const Clipping& clipping : {Clipping(PerLayerClipping{}), Clipping(AutomaticClipping{})}) {
    auto options = plan(1, 1);
    options.clipping = clipping;
    EXPECT_THAT(complaint([&] { open(options); }), HasSubstr(std::string(to_string(clipping))));
  }
}

// Never: a plan of one kind executed by an engine of the other.
TEST_F(CliplessEngineTest, PlansOfDpSgdAndClippedEnginesAreKeptApart) {
  auto clipped = plan(1, 1);
  clipped.bounded.reset();
  EXPECT_THAT(complaint([&] { open(clipped); }),
              HasSubstr("needs a plan with its gradient bounds"));
  torch::nn::Sequential ordinary(torch::nn::Linear(6, 2));
  torch::optim::SGD sgd(ordinary->parameters(), 0.1);
  EXPECT_THAT(complaint([&] { make_private(*ordinary, sgd, plan(1, 1)); }),
              HasSubstr("needs a bounded model"));
}

TEST_F(CliplessEngineTest, EachEngineHasItsOwnStep) {
  auto engine = open(full_plan(1, 1));
  const auto batch = engine.next_batch();
  const Tensor losses = network->forward(inputs).sum(1);
  EXPECT_THAT(complaint([&] { engine.step(losses); }), HasSubstr("step(inputs, labels)"));
  EXPECT_THAT(complaint([&] { engine.step(inputs.narrow(0, 0, 3), labels); }), HasSubstr("60"));
  EXPECT_THAT(complaint([&] { engine.step(inputs, labels.narrow(0, 0, 3)); }), HasSubstr("60"));
  EXPECT_TRUE(step(engine, *batch).stepped);
  EXPECT_THROW(step(engine, *batch), std::logic_error);

  torch::nn::Sequential ordinary(torch::nn::Linear(6, 2));
  torch::optim::SGD sgd(ordinary->parameters(), 0.1);
  auto clipped = full_plan(1, 1);
  clipped.bounded.reset();
  auto other = make_private(*ordinary, sgd, clipped);
  ASSERT_TRUE(other.next_batch());
  EXPECT_THAT(complaint([&] { other.step(inputs, labels); }), HasSubstr("bounded model"));
}

// Never: one damaged record in everyone's gradient.
TEST_F(CliplessEngineTest, ABadSampleLeavesTheOthersAlone) {
  for (const double bad : {std::nan(""), static_cast<double>(INFINITY)}) {
    inputs[3].fill_(1);
    inputs[3][2] = bad;
    const auto with = one_step({.insecure_seed = 3});
    inputs[3].zero_();
    const auto blank = one_step({.insecure_seed = 3});
    for (std::size_t i = 0; i < with.size(); ++i) EXPECT_TRUE(torch::equal(with[i], blank[i]));
    expect_close(with, sum_without_engine(torch::cat({torch::arange(3), torch::arange(4, 60)})));
  }
}

// Nothing of a refused part is used: the caller may correct it.
TEST_F(CliplessEngineTest, ALabelThatIsNoClassLeavesTheBatchWaiting) {
  use_fresh_network();
  auto engine = open(full_plan(kHardlyNoisy, 1));
  const auto batch = engine.next_batch();
  Tensor wrong = labels.clone();
  wrong[7] = 2;
  EXPECT_THAT(complaint([&] { engine.step(inputs, wrong); }), HasSubstr("label 2"));
  EXPECT_EQ(engine.steps(), 0);
  EXPECT_TRUE(step(engine, *batch).stepped);
  auto sums = optimizer->gradients.at(0);
  for (auto& sum : sums) sum *= static_cast<double>(kCliplessRecords);
  expect_close(sums, sum_without_engine(torch::arange(kCliplessRecords)));
}

// Never: samples that were added once, added again.
TEST_F(CliplessEngineTest, ALateLabelThatIsNoClassForgetsTheBatch) {
  inputs = torch::randn({5000, 6});
  labels = torch::zeros({5000}, torch::kLong);
  labels[4500] = 2;
  use_fresh_network();
  auto engine = open(full_plan(1, 2));
  const auto batch = engine.next_batch();
  EXPECT_THAT(complaint([&] { step(engine, *batch); }), HasSubstr("label 2"));
  EXPECT_THROW(step(engine, *batch), std::logic_error);
  EXPECT_EQ(engine.steps(), 0);
  labels[4500] = 1;
  train(engine);
  EXPECT_EQ(engine.steps(), 2);
}

// Never: an empty Poisson batch skipped.
TEST_F(CliplessEngineTest, EmptyBatchesAreNoisedSteppedAndCharged) {
  auto options = plan(1, 100);
  options.batch_size = 1;  // a third of the batches is empty
  auto engine = open(options);
  std::int64_t handed_out = 0;
  std::int64_t empty = 0;
  while (auto batch = engine.next_batch()) {
    ++handed_out;
    empty += batch->size() == 0 ? 1 : 0;
    EXPECT_TRUE(step(engine, *batch).stepped);
  }
  EXPECT_EQ(engine.steps(), 100);
  EXPECT_EQ(handed_out, 100);
  EXPECT_EQ(optimizer->gradients.size(), 100U);
  EXPECT_GT(empty, 10);
  EXPECT_LT(empty, 60);
  for (const auto& gradients : optimizer->gradients) EXPECT_GT(length_of(gradients[0]), 0);
}

}  // namespace
}  // namespace sotto::lipschitz
