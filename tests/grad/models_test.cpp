// Whole models against a batch-of-one loop.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "tests/grad/oracle.h"

namespace sotto::grad {
namespace {

namespace nn = torch::nn;
namespace F = torch::nn::functional;
using torch::Tensor;

class ModelsTest : public testing::Test {
 protected:
  void SetUp() override { torch::manual_seed(11); }
};

TEST_F(ModelsTest, SmallConvolutionalNetwork) {
  nn::Sequential model(nn::Conv2d(nn::Conv2dOptions(1, 16, 8).stride(2).padding(3)), nn::ReLU(),
                       nn::MaxPool2d(nn::MaxPool2dOptions(2).stride(1)),
                       nn::Conv2d(nn::Conv2dOptions(16, 32, 4).stride(2)), nn::ReLU(),
                       nn::MaxPool2d(nn::MaxPool2dOptions(2).stride(1)), nn::Flatten(),
                       nn::Linear(512, 32), nn::ReLU(), nn::Linear(32, 10));
  expect_module_matches_oracle(model, normal({1, 28, 28}));
}

TEST_F(ModelsTest, CrossEntropyLosses) {
  nn::Linear model(6, 4);
  const Tensor x = torch::randn({5, 3, 6});
  const Tensor y = torch::randint(4, {5, 3});
  for (const double smoothing : {0.0, 0.1}) {
    const LossesOf losses = [&](std::int64_t begin, std::int64_t n) {
      const Tensor logits = model->forward(x.narrow(0, begin, n)).transpose(1, 2);  // (n, 4, 3)
      return F::cross_entropy(
                 logits, y.narrow(0, begin, n),
                 F::CrossEntropyFuncOptions().reduction(torch::kNone).label_smoothing(smoothing))
          .mean(1);
    };
    expect_matches_oracle(losses, 5, named_parameters(*model));
  }
}

struct ResidualBlockImpl : nn::Module {
  explicit ResidualBlockImpl(int channels) {
    first =
        register_module("first", nn::Conv2d(nn::Conv2dOptions(channels, channels, 3).padding(1)));
    norm = register_module("norm", nn::GroupNorm(2, channels));
    second =
        register_module("second", nn::Conv2d(nn::Conv2dOptions(channels, channels, 3).padding(1)));
  }
  Tensor forward(const Tensor& x) { return torch::relu(x + second(torch::relu(norm(first(x))))); }
  nn::Conv2d first{nullptr}, second{nullptr};
  nn::GroupNorm norm{nullptr};
};
TORCH_MODULE(ResidualBlock);

TEST_F(ModelsTest, ResidualNetworkWithGroupNorm) {
  nn::Sequential model(nn::Conv2d(nn::Conv2dOptions(3, 8, 3).padding(1).bias(false)),
                       nn::GroupNorm(4, 8), nn::ReLU(), ResidualBlock(8), ResidualBlock(8),
                       nn::AdaptiveAvgPool2d(1), nn::Flatten(), nn::Linear(8, 10));
  expect_module_matches_oracle(model, normal({3, 10, 10}));
}

// Word vectors that are also the output layer.
struct TiedImpl : nn::Module {
  TiedImpl() {
    words = register_module("words", nn::Embedding(11, 6));
    lstm = register_module("lstm", nn::LSTM(nn::LSTMOptions(6, 6).batch_first(true)));
  }
  Tensor forward(const Tensor& x) {
    return F::linear(std::get<0>(lstm->forward(words(x))), words->weight);
  }
  nn::Embedding words{nullptr};
  nn::LSTM lstm{nullptr};
};

TEST_F(ModelsTest, TiedEmbedding) {
  auto model = std::make_shared<TiedImpl>();
  expect_module_matches_oracle(model, [](std::int64_t n) { return torch::randint(11, {n, 4}); });
}

// A weight that is a function of parameters, and a parameter used in slices.
struct ReparametrisedImpl : nn::Module {
  ReparametrisedImpl() {
    direction = register_parameter("direction", torch::randn({4, 6}));
    length = register_parameter("length", torch::rand({4, 1}));
    both = register_parameter("both", torch::randn({6, 4}));
  }
  Tensor forward(const Tensor& x) {
    const Tensor weight = direction * (length / direction.norm(2, {1}, true));
    const auto parts = both.chunk(2, 1);
    return F::linear(x, weight).tanh().matmul(parts[0].slice(0, 0, 4)) + x.matmul(parts[1]) +
           both.select(0, 3).slice(0, 1, 3);
  }
  Tensor direction, length, both;
};

TEST_F(ModelsTest, WeightsComputedFromParameters) {
  auto model = std::make_shared<ReparametrisedImpl>();
  expect_module_matches_oracle(model, normal({6}));
  expect_module_matches_oracle(model, normal({3, 6}));
}

TEST_F(ModelsTest, LayerUsedTwice) {
  nn::Linear layer(5, 5);
  nn::Sequential model(layer, nn::Tanh(), layer, nn::SELU(), layer);
  const Tensor x = torch::randn({4, 5}).to(torch::kDouble);
  layer->to(torch::kDouble);
  const LossesOf losses = [&](std::int64_t begin, std::int64_t n) {
    return model->forward(x.narrow(0, begin, n)).square().sum(1);
  };
  expect_matches_oracle(losses, 4, named_parameters(*layer));
}

TEST_F(ModelsTest, FrozenAndUnreachedParameters) {
  nn::Linear frozen(5, 5);
  nn::Linear trained(5, 3);
  nn::Linear unused(2, 2);
  for (auto& parameter : frozen->parameters()) parameter.set_requires_grad(false);
  const Tensor x = torch::randn({4, 5});
  auto parameters = named_parameters(*trained);
  for (auto& parameter : named_parameters(*unused)) parameters.push_back(parameter);
  const LossesOf losses = [&](std::int64_t begin, std::int64_t n) {
    return trained(torch::relu(frozen(x.narrow(0, begin, n)))).square().sum(1);
  };
  expect_matches_oracle(losses, 4, parameters);
  const PerSampleGradients gradients(losses(0, 4), parameters);
  EXPECT_EQ(gradients.squared_norms()[2].abs().sum().item<double>(), 0);
}

// The comparison itself: gradients that depend on who else is in the batch do not pass.
TEST_F(ModelsTest, TheOracleNoticesSamplesThatInfluenceEachOther) {
  nn::Linear model(5, 3);
  const Tensor x = torch::randn({4, 5});
  const auto losses_with = [&](double influence) {
    return [&, influence](std::int64_t begin, std::int64_t n) {
      const Tensor part = x.narrow(0, begin, n);
      return model(part - influence * part.mean(0)).square().sum(1);
    };
  };
  EXPECT_EQ(difference_from_oracle(losses_with(0), 4, named_parameters(*model)), "");
  EXPECT_NE(difference_from_oracle(losses_with(1e-3), 4, named_parameters(*model)), "");
}

TEST_F(ModelsTest, OneBadSampleContributesExactlyNothing) {
  nn::Sequential model(nn::Conv2d(1, 4, 3), nn::ReLU(), nn::Flatten(), nn::Linear(64, 2));
  Tensor x = torch::randn({3, 1, 6, 6});
  const auto parameters = named_parameters(*model);
  const auto losses = [&](const Tensor& batch) { return model->forward(batch).square().sum(1); };
  x[1].fill_(std::nan(""));
  const PerSampleGradients with_bad(losses(x), parameters);
  EXPECT_FALSE(with_bad.squared_norms().isfinite().all().item<bool>());
  Tensor factors = torch::ones({4, 3}, torch::kDouble);
  factors.select(1, 1).zero_();
  const auto sums = with_bad.weighted_sums(factors);
  const PerSampleGradients good(losses(torch::stack({x[0], x[2]})), parameters);
  const auto expected = good.weighted_sums(torch::ones({4, 2}, torch::kDouble));
  for (std::size_t i = 0; i < sums.size(); ++i) {
    EXPECT_TRUE(torch::allclose(sums[i], expected[i], 1e-5, 1e-6)) << parameters[i].name;
  }
}

// Two views of one weight with the same operations but other arguments are not the same use.
TEST_F(ModelsTest, DifferentViewsOfOneWeightDoNotCancel) {
  struct SquareImpl : nn::Module {
    SquareImpl() { weight = register_parameter("weight", torch::randn({16, 16}, torch::kDouble)); }
    Tensor weight;
  };
  const auto module = std::make_shared<SquareImpl>();
  const Tensor& w = module->weight;
  const Tensor x = torch::randn({4, 16}, torch::kDouble);
  const Tensor u = torch::randn({4, 16}, torch::kDouble);
  const auto part = [&](const Tensor& view, std::int64_t begin, std::int64_t n) {
    return (torch::mm(x.narrow(0, begin, n), view) * u.narrow(0, begin, n)).sum(1);
  };
  const auto folded = [&](std::int64_t a) {
    return w.view({a, 16 / a, 16}).transpose(0, 1).reshape({16, 16});
  };
  const auto parameters = named_parameters(*module);
  expect_matches_oracle(
      [&](std::int64_t begin, std::int64_t n) {
        return part(w.permute({1, 0}), begin, n) - part(w.permute({0, 1}), begin, n);
      },
      4, parameters);
  expect_matches_oracle(
      [&](std::int64_t begin, std::int64_t n) {
        return part(folded(2), begin, n) - part(folded(8), begin, n);
      },
      4, parameters);
  expect_matches_oracle(
      [&](std::int64_t begin, std::int64_t n) {
        return part(w.transpose(0, 1), begin, n) - part(w.transpose(0, 0), begin, n);
      },
      4, parameters);
}

// One record must not be able to silence all others.
TEST_F(ModelsTest, OneBadSampleIsIsolatedOrItIsSaidThatItIsNot) {
  struct ScaleImpl : nn::Module {
    ScaleImpl() { w = register_parameter("w", torch::rand({3}) + 1); }
    Tensor w;
  };
  const auto module = std::make_shared<ScaleImpl>();
  Tensor x = torch::randn({4, 3});
  Tensor y = torch::randn({4, 3});
  y[1][0] = std::nan("");  // in the gradient of the output only
  const PerSampleGradients gradients(((x / module->w) * y).sum(1), named_parameters(*module));
  EXPECT_EQ(gradients.squared_norms().isfinite().sum().item<std::int64_t>(), 3);
  x[2][0] = std::nan("");  // in what the division saved
  std::string parameter;
  EXPECT_FALSE(PerSampleGradients((x / module->w).square().sum(1), named_parameters(*module))
                   .isolates_samples(&parameter));
  EXPECT_EQ(parameter, "w");
}

TEST_F(ModelsTest, SparseEmbeddingsInBatchesOfAnySize) {
  nn::Embedding words(nn::EmbeddingOptions(7, 3).sparse(true));
  for (const std::int64_t n : {1, 3}) {
    const Tensor losses = words(torch::randint(7, {n, 4})).square().sum({1, 2});
    const PerSampleGradients gradients(losses, named_parameters(*words));
    EXPECT_EQ(gradients.materialised()[0].size(0), n);
  }
}

TEST_F(ModelsTest, GhostNormsSurviveCancellation) {
  // Two huge, nearly opposite terms: in float the Gram sum would lose every digit.
  nn::Linear model(nn::LinearOptions(64, 64).bias(false));
  Tensor x = torch::randn({3, 2, 64}) * 1000;
  x.select(1, 1).copy_(x.select(1, 0) + 0.001 * torch::randn({3, 64}));
  Tensor w = torch::randn({1, 2, 64});
  w.select(1, 1).copy_(-w.select(1, 0));
  const LossesOf losses = [&](std::int64_t begin, std::int64_t n) {
    return (model(x.narrow(0, begin, n)) * w).sum({1, 2});
  };
  const auto parameters = named_parameters(*model);
  const auto truth = batch_of_one_gradients(losses, 3, parameters)[0].to(torch::kDouble);
  const PerSampleGradients gradients(losses(0, 3), parameters);
  const Tensor ratio = gradients.squared_norms()[0].sqrt() / truth.reshape({3, -1}).norm(2, {1});
  // Never too small, up to the oracle's own float error; larger by what the sum may round.
  EXPECT_GT(ratio.min().item<double>(), 0.95);
  EXPECT_LT(ratio.max().item<double>(), 10);
}

// A sample whose terms cancel has a norm near 0; what is added for it is the rounding of a product
// of huge numbers, which must be within the bound as well.
TEST_F(ModelsTest, WhatRoundingLeavesOfCancelledTermsIsClippedToo) {
  for (const double size : {1.0, 1e4, 1e6}) {
    nn::Conv2d convolution(nn::Conv2dOptions(16, 32, 3).bias(false));
    nn::Linear linear(nn::LinearOptions(64, 2).bias(false));
    {
      torch::NoGradGuard no_gradients;
      const Tensor halves = linear->weight.view({2, 32, 2});
      halves.select(2, 1).copy_(-halves.select(2, 0));
    }
    linear->weight.set_requires_grad(false);
    const Tensor x = torch::randn({2, 16, 3, 1}).expand({2, 16, 3, 4}).contiguous() * size;
    const Tensor y = linear(convolution(x).flatten(1));
    const PerSampleGradients gradients((y - size).square().mean(1), named_parameters(*convolution));
    const Tensor factors = (1 / gradients.squared_norms().sqrt()).clamp_max(1);
    for (const std::int64_t i : {0, 1}) {
      Tensor alone = torch::zeros_like(factors);
      alone.select(1, i).copy_(factors.select(1, i));
      EXPECT_LE(gradients.weighted_sums(alone)[0].norm().item<double>(), 1.02) << size;
    }
  }
}

}  // namespace
}  // namespace sotto::grad
