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

TEST_F(ModelsTest, ConvolutionalNetworkOfTheSeeds) {
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

TEST_F(ModelsTest, NothingAtAllInTheBatch) {
  nn::Linear model(5, 3);
  const Tensor losses = model(torch::randn({0, 5})).square().sum(1);
  const PerSampleGradients gradients(losses, named_parameters(*model));
  EXPECT_EQ(gradients.samples(), 0);
  const auto sums = gradients.weighted_sums(torch::ones({2, 0}, torch::kDouble));
  EXPECT_EQ(sums[0].sizes(), model->weight.sizes());
  EXPECT_EQ(sums[0].abs().sum().item<double>(), 0);
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
  EXPECT_NEAR(ratio.max().item<double>(), 1, 0.05);  // the oracle's own float error
  EXPECT_NEAR(ratio.min().item<double>(), 1, 0.05);
}

}  // namespace
}  // namespace sotto::grad
