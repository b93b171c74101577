#include "sotto/grad/grad.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "models/layers.h"
#include "sotto/models/models.h"
#include "tests/fused/oracle.h"

namespace sotto::grad {
namespace {

namespace nn = torch::nn;
using testing::HasSubstr;
using torch::Tensor;

nn::Conv2dOptions conv(std::int64_t in, std::int64_t out, std::int64_t kernel) {
  return nn::Conv2dOptions(in, out, kernel);
}

// A layer on images between a convolution and a linear head, so that gradients pass through it. The
// head starts at tanh: no kinks that rounding could fall off.
template <typename Layer>
FusedCase between(Layer layer, std::vector<std::int64_t> shape, std::int64_t channels) {
  nn::Sequential model(nn::Conv2d(conv(shape[0], channels, 3).padding(1)), nn::Tanh(), layer,
                       nn::Flatten());
  auto sizes = shape;
  sizes.insert(sizes.begin(), 1);
  const auto width = model->forward(torch::zeros(sizes)).size(1);
  model->push_back(nn::Linear(width, 5));
  return {model, shape, 5};
}

template <typename Layer>
FusedCase between_rows(Layer layer) {
  return {nn::Sequential(nn::Linear(7, 19), layer, nn::Linear(19, 5)), {7}, 5};
}

void check(const FusedCase& test) {
  expect_fused_matches_oracle(test, {0, 1, 5}, {1, 2});
  expect_plain_fused_matches_autograd(test, 5, 2);
}

TEST(FusedModelTest, Linear) {
  check({nn::Sequential(nn::Linear(3, 2)), {3}, 2});
  check({nn::Sequential(nn::Linear(33, 17), nn::Tanh(), nn::Linear(17, 3)), {33}, 3});
  check({nn::Sequential(nn::Linear(nn::LinearOptions(20, 4).bias(false))), {20}, 4});
}

TEST(FusedModelTest, ConvolutionOfEveryGeometry) {
  const std::vector<std::int64_t> shape = {4, 9, 11};
  check(between(nn::Conv2d(conv(6, 7, 3)), shape, 6));
  check(between(nn::Conv2d(conv(6, 16, 2).stride({2, 3})), shape, 6));
  check(between(nn::Conv2d(conv(6, 20, 5).padding({2, 1})), shape, 6));
  check(between(nn::Conv2d(nn::Conv2dOptions(6, 8, {2, 4}).stride(2).padding(1)), shape, 6));
  check(between(nn::Conv2d(conv(6, 5, 3).dilation({2, 1}).padding(2)), shape, 6));
  check(between(nn::Conv2d(conv(6, 5, 3).dilation({1, 2}).stride(2)), shape, 6));
  check(between(nn::Conv2d(conv(6, 4, 3).groups(2).padding(1)), shape, 6));
  check(between(nn::Conv2d(conv(6, 12, 3).groups(6)), shape, 6));  // depthwise
  check(between(nn::Conv2d(conv(6, 33, 1).bias(false)), shape, 6));
  check(between(nn::Conv2d(conv(6, 8, 3).padding(torch::kSame)), shape, 6));
}

TEST(FusedModelTest, Pooling) {
  const std::vector<std::int64_t> shape = {2, 9, 7};
  check(between(nn::MaxPool2d(nn::MaxPool2dOptions(2)), shape, 5));
  check(between(nn::MaxPool2d(nn::MaxPool2dOptions({3, 2}).stride(1).padding(1)), shape, 5));
  check(between(nn::MaxPool2d(nn::MaxPool2dOptions(2).stride(2).ceil_mode(true)), shape, 5));
  check(between(nn::AvgPool2d(nn::AvgPool2dOptions(2).stride({1, 2})), shape, 5));
  check(between(nn::AvgPool2d(nn::AvgPool2dOptions(3).padding(1)), shape, 5));
  check(between(nn::AvgPool2d(nn::AvgPool2dOptions(3).padding(1).count_include_pad(false)), shape,
                5));
  check(between(nn::AvgPool2d(nn::AvgPool2dOptions(2).ceil_mode(true).divisor_override(3)), shape,
                5));
  check(between(nn::AdaptiveAvgPool2d(nn::AdaptiveAvgPool2dOptions({4, 3})), shape, 5));
  check(between(nn::AdaptiveMaxPool2d(nn::AdaptiveMaxPool2dOptions({2, 5})), shape, 5));
}

TEST(FusedModelTest, Activations) {
  check(between_rows(nn::ReLU()));
  check(between_rows(nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.2))));
  check(between_rows(nn::Tanh()));
  check(between_rows(nn::Sigmoid()));
  check(between_rows(nn::SELU()));
  check(between_rows(nn::GELU()));
  check(between_rows(nn::GELU(nn::GELUOptions().approximate("tanh"))));
  check(between_rows(models::TemperedSigmoid(
      models::TemperedSigmoidOptions{.scale = 1.5, .temperature = 3, .offset = 0.7})));
}

TEST(FusedModelTest, ActivationsFarOut) {
  const Tensor x = torch::linspace(-30, 30, 601).unsqueeze(1);
  for (const auto& layer :
       {nn::AnyModule(nn::Tanh()), nn::AnyModule(nn::Sigmoid()), nn::AnyModule(nn::SELU()),
        nn::AnyModule(nn::GELU()), nn::AnyModule(nn::LeakyReLU())}) {
    nn::Sequential model(nn::Linear(1, 1));
    model->push_back(layer);
    const auto [fused, reason] = FusedModel::compile(model, {.sample_shape = {1}});
    ASSERT_NE(fused, nullptr) << reason;
    torch::NoGradGuard no_gradients;
    EXPECT_TRUE(torch::allclose(fused->scores(x), model->forward(x), 1e-5, 1e-6));
  }
}

TEST(FusedModelTest, Normalisation) {
  const std::vector<std::int64_t> shape = {3, 6, 5};
  check(between(nn::GroupNorm(nn::GroupNormOptions(4, 8)), shape, 8));
  check(between(nn::GroupNorm(nn::GroupNormOptions(1, 6)), shape, 6));
  check(between(nn::GroupNorm(nn::GroupNormOptions(6, 6).affine(false)), shape, 6));
  check(between(nn::LayerNorm(nn::LayerNormOptions({4, 6, 5})), shape, 4));
  check(between_rows(nn::LayerNorm(nn::LayerNormOptions({19}))));
  check(between_rows(nn::GroupNorm(nn::GroupNormOptions(1, 19))));
}

TEST(FusedModelTest, ResidualBlocks) {
  const auto body = [] {
    return nn::Sequential(nn::Conv2d(conv(6, 6, 3).padding(1)), nn::Tanh(),
                          nn::Conv2d(conv(6, 6, 3).padding(1)));
  };
  check(between(models::Residual(body()), {3, 6, 5}, 6));
  check(between(models::Residual(body(), nn::Sequential(nn::Conv2d(conv(6, 6, 1)))), {3, 6, 5}, 6));
  const auto nested = nn::Sequential(models::Residual(body()), nn::Conv2d(conv(6, 6, 1)));
  check(between(models::Residual(nested), {3, 6, 5}, 6));
}

// The block before may not be overwritten by an activation that the body starts with.
TEST(FusedModelTest, ResidualBodyThatStartsWithAnActivation) {
  nn::Sequential body(nn::Tanh(), nn::Linear(6, 6));
  check({nn::Sequential(nn::Linear(4, 6), models::Residual(body), nn::Linear(6, 3)), {4}, 3});
}

TEST(FusedModelTest, Losses) {
  const auto model = [] { return nn::Sequential(nn::Linear(6, 8), nn::Tanh(), nn::Linear(8, 4)); };
  check({model(), {6}, 4, FusedLoss::kCrossEntropy});
  check({model(), {6}, 4, FusedLoss::kHinge});
  check({model(), {6}, 4, FusedLoss::kMeanSquares});
}

TEST(FusedModelTest, NamedModels) {
  for (const auto& name : {"softmax", "mlp", "cnn-tanh"}) {
    SCOPED_TRACE(name);
    expect_fused_matches_oracle({models::make_model(name, {{1, 28, 28}, 10}), {1, 28, 28}, 10},
                                {3, 70}, {1, 2});
  }
  expect_fused_matches_oracle({models::make_model("convnet", {{3, 32, 32}, 10}), {3, 32, 32}, 10},
                              {3}, {2});
}

// More samples than a tile holds, and not a multiple.
TEST(FusedModelTest, TilesWithRemainders) {
  expect_fused_matches_oracle(between(nn::Conv2d(conv(6, 7, 3)), {4, 9, 11}, 6), {67, 131}, {1, 2});
  expect_fused_matches_oracle(between_rows(nn::Tanh()), {600, 1025}, {1, 2});
}

// More inputs, outputs and samples than are multiplied at once.
TEST(FusedModelTest, WideLinearLayers) {
  const nn::Sequential model(nn::Linear(530, 100), nn::Tanh(), nn::Linear(100, 5));
  expect_fused_matches_oracle({model, {530}, 5}, {203}, {1, 2});
}

TEST(FusedModelTest, FrozenParametersGetNoGradientButPassItOn) {
  auto test = between(nn::Conv2d(conv(6, 7, 3)), {4, 9, 11}, 6);
  test.model[2]->as<nn::Conv2dImpl>()->weight.set_requires_grad(false);
  test.model[4]->as<nn::LinearImpl>()->bias.set_requires_grad(false);
  check(test);
  for (auto& parameter : test.model[0]->parameters()) parameter.set_requires_grad(false);
  check(test);
}

TEST(FusedModelTest, RecordsAreTakenFromTheDataSet) {
  const FusedCase test = between_rows(nn::Tanh());
  const auto fused = FusedModel::compile(test.model, {.sample_shape = {7}}).model;
  const Tensor inputs = torch::randn({40, 7});
  const Tensor labels = torch::randint(5, {40});
  const Tensor records = torch::tensor({3, 39, 3, 0}, torch::kLong);
  const auto gradients = [&](const FusedBatch& batch) {
    std::vector<Tensor> sums;
    for (const auto& parameter : fused->parameters())
      sums.push_back(torch::zeros_like(parameter.tensor).detach());
    fused->gradients(batch, sums, false);
    return sums;
  };
  const auto gathered = gradients({inputs, labels, records});
  const auto copied = gradients({inputs.index_select(0, records), labels.index_select(0, records)});
  for (std::size_t p = 0; p < copied.size(); ++p) EXPECT_TRUE(gathered[p].equal(copied[p]));
}

TEST(FusedModelTest, SumsAreAddedToWhenAsked) {
  const FusedCase test = between_rows(nn::Tanh());
  const auto fused = FusedModel::compile(test.model, {.sample_shape = {7}}).model;
  const Tensor inputs = torch::randn({10, 7});
  const Tensor labels = torch::randint(5, {10});
  std::vector<Tensor> whole;
  std::vector<Tensor> parts;
  for (const auto& parameter : fused->parameters()) {
    whole.push_back(torch::zeros_like(parameter.tensor).detach());
    parts.push_back(torch::zeros_like(parameter.tensor).detach());
  }
  fused->gradients({inputs, labels}, whole, false);
  fused->gradients({inputs.narrow(0, 0, 4), labels.narrow(0, 0, 4)}, parts, false);
  fused->gradients({inputs.narrow(0, 4, 6), labels.narrow(0, 4, 6)}, parts, true);
  for (std::size_t p = 0; p < whole.size(); ++p) {
    EXPECT_TRUE(torch::allclose(whole[p], parts[p], 1e-5, 1e-6));
  }
}

TEST(FusedModelTest, SameThreadsSameBits) {
  const FusedCase test{models::make_model("cnn", {{1, 28, 28}, 10}), {1, 28, 28}, 10};
  const Tensor inputs = torch::randn({50, 1, 28, 28});
  const Tensor labels = torch::randint(10, {50});
  std::vector<std::vector<Tensor>> runs;
  for (int run = 0; run < 3; ++run) {
    const auto fused =
        FusedModel::compile(test.model, {.sample_shape = {1, 28, 28}, .threads = 2}).model;
    std::vector<Tensor> sums;
    for (const auto& parameter : fused->parameters())
      sums.push_back(torch::zeros_like(parameter.tensor).detach());
    fused->gradients({inputs, labels}, sums, false);
    runs.push_back(sums);
  }
  for (std::size_t p = 0; p < runs[0].size(); ++p) {
    EXPECT_TRUE(runs[0][p].equal(runs[1][p]));
    EXPECT_TRUE(runs[0][p].equal(runs[2][p]));
  }
}

// A sample that is not finite has a norm that is not, so that it can be left out; with factor 0 it
// adds exactly nothing to anybody's sum.
TEST(FusedModelTest, ASampleThatIsNotFiniteIsSeenAndAddsNothing) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    const FusedCase test{models::make_model("cnn", {{1, 28, 28}, 10}), {1, 28, 28}, 10};
    const auto fused = FusedModel::compile(test.model, {.sample_shape = {1, 28, 28}}).model;
    Tensor inputs = torch::randn({9, 1, 28, 28});
    const Tensor labels = torch::randint(10, {9});
    const Tensor good = inputs.clone();
    inputs[4].fill_(bad);
    const auto clip = [&](const double* squares, std::int64_t stride, std::int64_t samples,
                          double* factors) {
      for (std::int64_t i = 0; i < samples; ++i) {
        double total = 0;
        for (std::size_t p = 0; p < fused->parameters().size(); ++p) {
          total += squares[static_cast<std::int64_t>(p) * stride + i];
        }
        for (std::size_t p = 0; p < fused->parameters().size(); ++p) {
          factors[static_cast<std::int64_t>(p) * stride + i] = std::isfinite(total) ? 1 : 0;
        }
      }
    };
    std::vector<Tensor> tensors;
    for (const auto& parameter : fused->parameters()) tensors.push_back(parameter.tensor);
    ExactSums sums(tensors, std::vector<double>(tensors.size(), 1e4));
    const auto result = fused->clipped_gradients({inputs, labels}, clip, {9}, sums);
    const Tensor totals = result.squared_norms.sum(0);
    EXPECT_FALSE(std::isfinite(totals[4].item<double>()));
    EXPECT_EQ(totals.isfinite().sum().item<std::int64_t>(), 8);
    for (std::size_t p = 0; p < sums.size(); ++p) {
      EXPECT_TRUE(sums.real(p).isfinite().all().item<bool>());
    }
  }
}

// Squares of floats vanish below 1e-22 and overflow above 1e19: norms are in double.
TEST(FusedModelTest, NormsOfTinyAndHugeNumbersAreRight) {
  nn::Sequential model(nn::Linear(nn::LinearOptions(2, 1).bias(false)));
  model[0]->as<nn::LinearImpl>()->weight.data().zero_();
  const auto fused =
      FusedModel::compile(model, {.sample_shape = {2}, .loss = FusedLoss::kMeanSquares}).model;
  for (const double size : {1e-25, 1.0, 1e18}) {
    const Tensor inputs = torch::full({1, 2}, static_cast<float>(size));
    const Tensor targets = torch::full({1, 1}, static_cast<float>(1e-20));
    ExactSums sums({torch::zeros({1, 2})}, {1});
    const auto result = fused->clipped_gradients(
        {inputs, targets},
        [](const double*, std::int64_t, std::int64_t, double* factors) { factors[0] = 1; }, {1},
        sums);
    const double expected = 2e-20 * std::sqrt(2.0) * size;  // ‖2 (0 - target) x‖
    EXPECT_NEAR(std::sqrt(result.squared_norms.item<double>()) / expected, 1, 1e-5) << size;
  }
}

// A class of one's own may compute anything, whatever it is derived from.
struct DoublingLinearImpl : nn::LinearImpl {
  using nn::LinearImpl::LinearImpl;
  Tensor forward(const Tensor& x) { return 2 * nn::LinearImpl::forward(x); }
};
TORCH_MODULE(DoublingLinear);

TEST(FusedModelTest, ADerivedLayerIsNotTakenForItsBase) {
  EXPECT_THAT(reason_not_fused(nn::Sequential(DoublingLinear(4, 4)), {4}),
              HasSubstr("has no fused kernel"));
}

TEST(FusedModelTest, DropoutDropsTheAskedShareWhileTraining) {
  nn::Sequential model(nn::Linear(nn::LinearOptions(1, 4000).bias(false)),
                       nn::Dropout(nn::DropoutOptions(0.25)));
  model[0]->as<nn::LinearImpl>()->weight.data().fill_(1);
  const auto fused =
      FusedModel::compile(model, {.sample_shape = {1}, .loss = FusedLoss::kMeanSquares}).model;
  ASSERT_NE(fused, nullptr);
  const Tensor inputs = torch::ones({2, 1});
  const Tensor targets = torch::zeros({2, 4000});
  const auto gradient = [&] {
    std::vector<Tensor> sums{torch::zeros({4000, 1})};
    fused->gradients({inputs.narrow(0, 0, 1), targets.narrow(0, 0, 1)}, sums, false);
    return sums[0];
  };
  const Tensor first = gradient();
  const double kept = (first != 0).to(torch::kDouble).mean().item<double>();
  EXPECT_NEAR(kept, 0.75, 0.04);  // six standard deviations
  // Kept values are scaled by 4/3, in the loss and in the gradient: 2/4000 · 16/9.
  EXPECT_NEAR(first.max().item<double>(), 2.0 / 4000 * 16 / 9, 1e-8);
  EXPECT_FALSE(first.equal(gradient())) << "every step drops others";
  EXPECT_TRUE(torch::allclose(fused->scores(inputs), torch::ones({2, 4000})));
  model->eval();
  EXPECT_EQ((gradient() != 0).sum().item<std::int64_t>(), 4000);
}

TEST(FusedModelTest, SaysWhichLayerHasNoKernel) {
  EXPECT_EQ(reason_not_fused(nn::Sequential(nn::Linear(4, 4)), {4}), "");
  EXPECT_THAT(reason_not_fused(nn::Sequential(nn::Linear(4, 4), nn::Softplus()), {4}),
              HasSubstr("layer '1' (torch::nn::SoftplusImpl) has no fused kernel"));
  EXPECT_THAT(reason_not_fused(nn::Sequential(nn::Conv2d(conv(1, 2, 3))), {1, 5, 5}),
              HasSubstr("not one row per sample"));
  EXPECT_THAT(reason_not_fused(nn::Sequential(nn::Linear(4, 4)), {3, 3, 4}),
              HasSubstr("last axis"));
  EXPECT_THAT(reason_not_fused(nn::Sequential(nn::Linear(4, 4)), {3, 4}),
              HasSubstr("2 dimensions"));
  nn::Linear shared(4, 4);
  EXPECT_THAT(reason_not_fused(nn::Sequential(shared, shared), {4}), HasSubstr("shares parameter"));
  nn::Sequential reflecting(nn::Conv2d(conv(1, 2, 3).padding(1).padding_mode(torch::kReflect)),
                            nn::Flatten());
  EXPECT_THAT(reason_not_fused(reflecting, {1, 5, 5}), HasSubstr("padding"));
  nn::Sequential wide(nn::Linear(4, 4));
  wide->to(torch::kDouble);
  EXPECT_THAT(reason_not_fused(wide, {4}), HasSubstr("float"));
}

TEST(FusedModelTest, RefusesWhatDoesNotFit) {
  const nn::Sequential model(nn::Linear(4, 3));
  const auto fused = FusedModel::compile(model, {.sample_shape = {4}}).model;
  std::vector<Tensor> sums{torch::zeros({3, 4}), torch::zeros({3})};
  const Tensor inputs = torch::randn({2, 4});
  const auto run = [&](const Tensor& x, const Tensor& y, const Tensor& records = {}) {
    fused->gradients({x, y, records}, sums, false);
  };
  EXPECT_THROW(run(torch::randn({2, 5}), torch::zeros({2}, torch::kLong)), InvalidArgument);
  EXPECT_THROW(run(inputs.to(torch::kDouble), torch::zeros({2}, torch::kLong)), InvalidArgument);
  EXPECT_THROW(run(inputs, torch::full({2}, 3, torch::kLong)), InvalidArgument);
  EXPECT_THROW(run(inputs, torch::full({2}, -1, torch::kLong)), InvalidArgument);
  EXPECT_THROW(run(inputs, torch::zeros({3}, torch::kLong)), InvalidArgument);
  EXPECT_THROW(run(inputs, torch::zeros({2})), InvalidArgument);
  EXPECT_THROW(run(inputs, torch::zeros({2}, torch::kLong), torch::tensor({2}, torch::kLong)),
               InvalidArgument);
  std::vector<Tensor> wrong{torch::zeros({3, 4})};
  EXPECT_THROW(fused->gradients({inputs, torch::zeros({2}, torch::kLong)}, wrong, false),
               InvalidArgument);
}

}  // namespace
}  // namespace sotto::grad
