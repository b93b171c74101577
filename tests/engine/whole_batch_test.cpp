// LibTorch must not decide for a whole batch by what is in one record.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <thread>

#include "engine/no_whole_batches.h"
#include "sotto/core/error.h"
#include "sotto/engine/privacy_engine.h"

namespace sotto::whole_batch {
namespace {

namespace nn = torch::nn;
namespace F = torch::nn::functional;
using testing::HasSubstr;
using torch::Tensor;

PlanOptions full_batches(std::int64_t records, double noise) {
  PlanOptions plan{.dataset_size = records, .batch_size = records, .steps = 1};
  plan.sampling = accounting::Sampling::kNone;
  plan.noise_multiplier = noise;
  return plan;
}

std::string refusal_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(NoWholeBatches, EqualLooksAtPlacesNotAtNumbers) {
  const Tensor x = torch::randn({2, 3, 4});
  const Tensor copy = x.clone();
  const Tensor nan = torch::full({1, 1, 3}, std::nan(""));
  {
    const NoWholeBatches changed;
    EXPECT_FALSE(torch::equal(x, copy));
    EXPECT_TRUE(torch::equal(x, x));
    EXPECT_TRUE(torch::equal(x.transpose(0, 1), x.transpose(0, 1)));
    EXPECT_FALSE(torch::equal(x, x.transpose(0, 1)));
    EXPECT_TRUE(torch::equal(nan, nan));
    EXPECT_TRUE(torch::equal(x[0], copy[0]));  // not a sequence of samples
    const torch::NoGradGuard no_gradients;
    EXPECT_FALSE(torch::equal(x, copy));
    std::thread([&] { EXPECT_FALSE(torch::equal(x, copy)); }).join();
    { const NoWholeBatches another; }
    EXPECT_FALSE(torch::equal(x, copy));
  }
  EXPECT_TRUE(torch::equal(x, copy));
  EXPECT_FALSE(torch::equal(nan, nan));
}

TEST(NoWholeBatches, HoldsWhileAnEngineLives) {
  nn::Linear layer(2, 1);
  torch::optim::SGD optimizer(layer->parameters(), 1.0);
  const Tensor sequence = torch::randn({2, 3, 4});
  {
    const auto engine = make_private(*layer, optimizer, full_batches(4, 1));
    EXPECT_FALSE(torch::equal(sequence, sequence.clone()));
  }
  EXPECT_TRUE(torch::equal(sequence, sequence.clone()));
}

// Frozen attention; what is trained is added to the keys and starts at zero, so that they equal the
// queries where a record says the same in both.
struct AdaptedKeys : nn::Module {
  nn::Linear adapter{nullptr};
  nn::MultiheadAttention attention{nullptr};

  explicit AdaptedKeys(std::int64_t width) {
    adapter = register_module("adapter", nn::Linear(width, width));
    attention = register_module("attention",
                                nn::MultiheadAttention(nn::MultiheadAttentionOptions(width, 2)));
    for (auto& parameter : attention->parameters()) parameter.set_requires_grad(false);
    const torch::NoGradGuard no_gradients;
    for (auto& parameter : adapter->parameters()) parameter.zero_();
  }

  // x (N, 2, T, width): queries, and keys before the adapter.
  Tensor forward(const Tensor& x) {
    const Tensor queries = x.select(1, 0).transpose(0, 1);
    const Tensor start = x.select(1, 1).transpose(0, 1);
    const Tensor keys = start + adapter(start);
    return std::get<0>(attention->forward(queries, keys, keys)).mean(0).sum(1);
  }
};

// The noised sum of one step, as a vector.
Tensor summed(const Tensor& inputs) {
  torch::manual_seed(3);
  auto net = std::make_shared<AdaptedKeys>(inputs.size(3));
  torch::optim::SGD optimizer(net->adapter->parameters(), 1.0);
  auto engine =
      make_private(*net, optimizer, full_batches(inputs.size(0), 1e-6), {.insecure_seed = 5});
  const auto batch = engine.next_batch();
  engine.step(1000 * net->forward(batch->rows_of(inputs)));
  std::vector<Tensor> updates;
  for (const auto& parameter : net->adapter->parameters()) {
    updates.push_back(parameter.detach().flatten());
  }
  return -static_cast<double>(inputs.size(0)) * torch::cat(updates);
}

TEST(WholeBatch, OneRecordDoesNotChangeTheWayOfAttention) {
  constexpr std::int64_t kRecords = 40;
  const Tensor one = torch::randn({5, 8});
  Tensor inputs = torch::stack({one, one}).unsqueeze(0).repeat({kRecords, 1, 1, 1});
  inputs[0] = 0;
  const Tensor with_blank = summed(inputs);
  inputs[0][0] = 1;  // queries unlike keys
  const Tensor with_record = summed(inputs);
  EXPECT_GT(with_blank.norm().item<double>(), 10);  // the keys' adapter is learnt
  EXPECT_LT((with_record - with_blank).norm().item<double>(), 1.01);
}

// Finite, but its norm is not: layer_norm makes NaN of it, which does not equal itself.
TEST(WholeBatch, AHugeRecordDoesNotChangeTheWayOfSelfAttention) {
  torch::manual_seed(4);
  const Tensor x = torch::randn({6, 5, 8});
  Tensor with_huge = x.clone();
  with_huge[3].fill_(3e38);
  with_huge[3][0][0] = -3e38;
  nn::MultiheadAttention attention(nn::MultiheadAttentionOptions(8, 2));
  const auto gradients = [&](const Tensor& inputs) {
    const Tensor hidden = torch::layer_norm(inputs, {8}).detach().requires_grad_();
    const Tensor sequence = hidden.transpose(0, 1);
    const Tensor out = std::get<0>(attention->forward(sequence, sequence, sequence));
    return torch::autograd::grad({out.sum()}, {hidden})[0];
  };
  const NoWholeBatches changed;
  const Tensor without = gradients(x);
  const Tensor with = gradients(with_huge);
  EXPECT_TRUE(with[3].isnan().any().item<bool>());
  for (const int companion : {0, 1, 2, 4, 5}) {
    EXPECT_TRUE(with[companion].eq(without[companion]).all().item<bool>()) << companion;
  }
}

// Its gradient counts the zeros of the whole tensor, and takes another way if there is one.
TEST(WholeBatch, ProductsAlongADimensionAreRefused) {
  nn::Linear layer(2, 2);
  torch::optim::SGD optimizer(layer->parameters(), 1.0);
  auto engine = make_private(*layer, optimizer, full_batches(4, 1));
  const auto batch = engine.next_batch();
  const Tensor losses = torch::prod(layer->forward(batch->rows_of(torch::randn({4, 2}))), 1);
  EXPECT_THAT(refusal_of([&] { engine.step(losses); }), HasSubstr("Prod"));
}

// The update of one step on probabilities that a layer of weight 1 passes on as they are, times the
// number of records.
double probability_step(const Tensor& probabilities) {
  nn::Linear layer(nn::LinearOptions(1, 1).bias(false));
  {
    const torch::NoGradGuard no_gradients;
    layer->weight.fill_(1);
  }
  torch::optim::SGD optimizer(layer->parameters(), 1.0);
  auto engine = make_private(*layer, optimizer, full_batches(probabilities.size(0), 1e-6),
                             {.insecure_seed = 5});
  const auto batch = engine.next_batch();
  const Tensor scores = layer->forward(batch->rows_of(probabilities));
  engine.step(F::binary_cross_entropy(scores, torch::ones_like(scores),
                                      F::BinaryCrossEntropyFuncOptions().reduction(torch::kNone))
                  .squeeze(1));
  return static_cast<double>(probabilities.size(0)) * (1 - layer->weight.item<double>());
}

// LibTorch throws if one number is not a probability: whether there is such a record would be seen
// by whether the run ends.
TEST(WholeBatch, OneNumberThatIsNoProbabilityDoesNotEndTheRun) {
  Tensor probabilities = torch::full({8, 1}, 0.5);
  probabilities[0] = 0;
  const double with_blank = probability_step(probabilities);
  for (const double bad : {std::nan(""), 2.0, -1.0, HUGE_VAL}) {
    probabilities[0] = bad;
    EXPECT_LT(std::abs(probability_step(probabilities) - with_blank), 1.01) << bad;
  }
}

TEST(NoWholeBatches, BinaryCrossEntropyIsLibTorchsOwnForProbabilities) {
  const Tensor p = torch::tensor({0.0F, 0.25F, 1.0F});
  const Tensor y = torch::tensor({1.0F, 1.0F, 1.0F});
  const Tensor weight = torch::tensor({1.0F, 2.0F, 3.0F});
  const Tensor outside = torch::tensor({0.5F, 1.5F, 0.5F});
  for (const std::int64_t reduction : {0, 1, 2}) {
    const Tensor own = torch::binary_cross_entropy(p, y, weight, reduction);
    EXPECT_THROW(torch::binary_cross_entropy(outside, y, weight, reduction), c10::Error);
    const NoWholeBatches changed;
    EXPECT_TRUE(torch::allclose(torch::binary_cross_entropy(p, y, weight, reduction), own));
    const Tensor losses = torch::binary_cross_entropy(outside, y, weight, reduction);
    EXPECT_EQ(losses.isnan().sum().item<int>(), 1) << reduction;
  }
}

// It throws if the gradient of one record is NaN, from inside step().
TEST(WholeBatch, AnomalyDetectionIsRefusedBeforeABatchIsDrawn) {
  nn::Linear layer(2, 1);
  torch::optim::SGD optimizer(layer->parameters(), 1.0);
  auto engine = make_private(*layer, optimizer, full_batches(4, 1));
  {
    const torch::autograd::DetectAnomalyGuard detects;
    EXPECT_THAT(refusal_of([&] { engine.next_batch(); }), HasSubstr("anomaly detection"));
  }
  const auto batch = engine.next_batch();
  ASSERT_TRUE(batch);
  const Tensor losses = layer->forward(batch->rows_of(torch::randn({4, 2}))).squeeze(1);
  {
    const torch::autograd::DetectAnomalyGuard detects;
    EXPECT_THAT(refusal_of([&] { engine.step(losses); }), HasSubstr("anomaly detection"));
  }
  engine.step(losses);
  EXPECT_EQ(engine.steps(), 1);
}

struct RenormalisedTable : nn::Module {
  Tensor table;
  RenormalisedTable() { table = register_parameter("table", torch::full({4, 3}, 1000.0F)); }
  Tensor forward(const Tensor& words) {
    return F::embedding(words, table, F::EmbeddingFuncOptions().max_norm(1.0)).sum(1);
  }
};

// The rows that are scaled down would say which words records have. Refused before it writes, and
// wherever it is called: before a batch is drawn, between steps, in another thread.
TEST(WholeBatch, EmbeddingsWithALargestNormAreRefused) {
  auto net = std::make_shared<RenormalisedTable>();
  torch::optim::SGD optimizer(net->parameters(), 1.0);
  const Tensor words = torch::zeros({4}, torch::kLong);
  {
    const auto engine = make_private(*net, optimizer, full_batches(4, 1));
    EXPECT_THAT(refusal_of([&] { net->forward(words); }), HasSubstr("max_norm"));
    EXPECT_EQ(net->table[0][0].item<float>(), 1000);
  }
  net->forward(words);
  EXPECT_LT(net->table[0][0].item<float>(), 1);
}

struct Overwritten : nn::Module {
  Tensor table;
  Overwritten() { table = register_parameter("table", torch::ones({4, 3})); }
  Tensor forward(const Tensor& words) {
    {
      const torch::NoGradGuard no_gradients;
      table.index_fill_(0, words, 2);
    }
    return F::embedding(words, table).sum(1);
  }
};

// What was written stays, without noise: leaving out the cause is not enough.
TEST(WholeBatch, WhatWritesToATrainedParameterIsRefusedAndEndsTheRun) {
  auto net = std::make_shared<Overwritten>();
  torch::optim::SGD optimizer(net->parameters(), 1.0);
  auto plan = full_batches(4, 1);
  plan.steps = 3;
  auto engine = make_private(*net, optimizer, plan);
  const auto batch = engine.next_batch();
  const Tensor losses = net->forward(batch->rows_of(torch::zeros({4}, torch::kLong)));
  EXPECT_THAT(refusal_of([&] { engine.step(losses); }),
              HasSubstr("trained parameter 'table' was changed"));
  EXPECT_EQ(engine.steps(), 0);
  EXPECT_THAT(refusal_of([&] { engine.next_batch(); }),
              HasSubstr("trained parameter 'table' was changed"));
}

// Its records have had their turn in the pass: without the charge another pass would begin within
// this one, and a record would be released twice at the price of once.
TEST(ShuffledPass, ARefusedStepIsChargedWhenTheNextBatchIsDrawn) {
  nn::Linear frozen(2, 2);
  nn::Sequential model(frozen, nn::Linear(2, 1));
  for (auto& parameter : frozen->parameters()) parameter.set_requires_grad(false);
  torch::optim::SGD optimizer(model->parameters(), 1.0);
  PlanOptions plan{.dataset_size = 4, .batch_size = 1, .steps = 4};
  plan.sampling = accounting::Sampling::kShuffled;
  plan.noise_multiplier = 1;
  auto engine = make_private(*model, optimizer, plan);
  const Tensor x = torch::randn({4, 2});
  std::vector<std::int64_t> released;
  for (int i = 0; const auto batch = engine.next_batch(); ++i) {
    const Tensor losses = model->forward(batch->rows_of(x)).squeeze(1);
    frozen->weight.set_requires_grad(i == 1);  // refused, then mended
    if (refusal_of([&] { engine.step(losses); }).empty()) {
      released.push_back(batch->indices[0].item<std::int64_t>());
    }
    frozen->weight.set_requires_grad(false);
  }
  EXPECT_EQ(engine.steps(), 4);
  std::sort(released.begin(), released.end());
  EXPECT_EQ(released.size(), 3U);
  EXPECT_EQ(std::adjacent_find(released.begin(), released.end()), released.end());
}

// log C moves by the noised count; with equal seeds the difference is that of the counts.
double count_with(double value) {
  Tensor x = torch::full({20, 1}, 0.5);
  x[0] = value;
  nn::Linear layer(nn::LinearOptions(1, 1).bias(false));
  torch::optim::SGD optimizer(layer->parameters(), 1.0);
  auto plan = full_batches(20, 1);
  plan.clipping = AdaptiveClipping{0.5, 0.2, 0.51};
  auto engine = make_private(*layer, optimizer, plan, {.insecure_seed = 9});
  const auto batch = engine.next_batch();
  engine.step(layer->forward(batch->rows_of(x)).squeeze(1));
  return -std::log(engine.max_grad_norm()) / 0.2 * 20;
}

// Under zero-out a neighbour is a blank; the noise is for half a vote.
TEST(AdaptiveClipping, ABlankAndWhatIsNotFiniteCountAsNobody) {
  const double blank = count_with(0);
  EXPECT_NEAR(count_with(0.5) - blank, 0.5, 1e-6);
  EXPECT_NEAR(count_with(100) - blank, -0.5, 1e-6);
  EXPECT_NEAR(count_with(std::numeric_limits<double>::quiet_NaN()) - blank, 0, 1e-6);
}

}  // namespace
}  // namespace sotto::whole_batch
