// What has no proven bound is refused by name, with what to use instead.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "lipschitz/sensitivity.h"
#include "sotto/core/error.h"
#include "sotto/lipschitz/fixed_layers.h"
#include "sotto/lipschitz/linear_layers.h"
#include "sotto/lipschitz/lipschitz_model.h"
#include "sotto/lipschitz/residual.h"

namespace sotto::lipschitz {
namespace {

namespace nn = torch::nn;
using testing::AllOf;
using testing::HasSubstr;

template <typename Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

// Of a network with one strange layer, called `odd`.
template <typename Layer>
std::string refusal_of(Layer layer) {
  nn::Sequential network;
  network->push_back("input", InputBound(1.0));
  network->push_back("odd", std::move(layer));
  network->push_back("linear", Linear(LinearOptions{4, 2}));
  return refusal([&] { LipschitzModel(network, Loss({}, 2)); });
}

TEST(RefusalsTest, LayersOfTorchWithoutABound) {
  const auto says = [](const char* remedy) { return AllOf(HasSubstr("odd"), HasSubstr(remedy)); };
  EXPECT_THAT(refusal_of(nn::Linear(4, 4)), says("lipschitz::Linear"));
  EXPECT_THAT(refusal_of(nn::Conv2d(nn::Conv2dOptions(1, 1, 1))), says("lipschitz::Conv2d"));
  EXPECT_THAT(refusal_of(nn::GroupNorm(nn::GroupNormOptions(2, 4))), says("LayerCentering"));
  EXPECT_THAT(refusal_of(nn::LayerNorm(nn::LayerNormOptions({4}))), says("LayerCentering"));
  EXPECT_THAT(refusal_of(nn::InstanceNorm2d(4)), says("LayerCentering"));
  EXPECT_THAT(refusal_of(nn::BatchNorm1d(4)), says("mixes samples"));
  EXPECT_THAT(refusal_of(nn::BatchNorm2d(4)), says("mixes samples"));
  EXPECT_THAT(refusal_of(nn::Dropout(0.5)), says("leave it out"));
  EXPECT_THAT(refusal_of(nn::AvgPool2d(2)), says("sotto/lipschitz"));
  EXPECT_THAT(refusal_of(nn::Softplus()), says("sotto/lipschitz"));
  EXPECT_THAT(refusal_of(nn::Functional(torch::relu)), says("sotto/lipschitz"));
  EXPECT_THAT(refusal_of(nn::Embedding(4, 4)), says("sotto/lipschitz"));
}

TEST(RefusalsTest, PoolingThatCountsAPixelTwice) {
  const auto says = AllOf(HasSubstr("odd"), HasSubstr("overlap"), HasSubstr("stride"));
  EXPECT_THAT(refusal_of(nn::MaxPool2d(nn::MaxPool2dOptions(3).stride(2))), says);
  EXPECT_THAT(refusal_of(nn::MaxPool2d(nn::MaxPool2dOptions({2, 3}).stride({2, 2}))), says);
  EXPECT_THAT(refusal_of(nn::MaxPool2d(nn::MaxPool2dOptions(2).dilation(2))), says);
  EXPECT_EQ(refusal_of(nn::MaxPool2d(2)), "");
  EXPECT_EQ(refusal_of(nn::MaxPool2d(nn::MaxPool2dOptions(2).stride(3))), "");
}

TEST(RefusalsTest, FlatteningTheBatch) {
  const auto from = [](std::int64_t axis) {
    return refusal_of(nn::Flatten(nn::FlattenOptions().start_dim(axis)));
  };
  EXPECT_THAT(from(0), AllOf(HasSubstr("odd"), HasSubstr("mixes samples")));
  EXPECT_THAT(from(-2), HasSubstr("odd"));  // of a vector, the batch
  EXPECT_EQ(from(1), "");
}

// Computes something else than the class that it derives from.
struct LoudReluImpl : nn::ReLUImpl {
  torch::Tensor forward(const torch::Tensor& x) { return 100 * torch::relu(x); }
};
TORCH_MODULE(LoudRelu);

TEST(RefusalsTest, AClassDerivedFromAKnownOne) {
  EXPECT_THAT(refusal_of(LoudRelu()), HasSubstr("odd"));
}

TEST(RefusalsTest, InsideAResidualBlock) {
  EXPECT_THAT(refusal([] { residual_block(nn::Sequential(nn::Linear(4, 4))); }),
              HasSubstr("lipschitz::Linear"));
  std::vector<std::shared_ptr<nn::Module>> plain{std::make_shared<nn::ReLUImpl>()};
  EXPECT_THAT(refusal([&] { Branches{plain}; }), HasSubstr("wrapped block"));
  std::vector<std::shared_ptr<nn::Module>> open{std::make_shared<SplitResidualImpl>()};
  EXPECT_THAT(refusal([&] { Branches{open}; }), HasSubstr("got 2"));
}

TEST(RefusalsTest, InputsOfAnyNorm) {
  const auto says = AllOf(HasSubstr("weight"), HasSubstr("InputBound"));
  EXPECT_THAT(refusal([] {
                gradient_bounds(nn::Sequential(Linear(LinearOptions{4, 2})), 1);
              }),
              says);
  const nn::Sequential late(Linear(LinearOptions{4, 4}), InputBound(1.0),
                            Linear(LinearOptions{4, 2}));
  EXPECT_THAT(refusal([&] { gradient_bounds(late, 1); }), says);
  const nn::Sequential nested(
      residual_block(nn::Sequential(InputBound(1.0), Linear(LinearOptions{4, 4}))),
      Linear(LinearOptions{4, 2}));
  EXPECT_THAT(refusal([&] { gradient_bounds(nested, 1); }), says);
}

TEST(RefusalsTest, ImpossibleSizesNameTheValue) {
  EXPECT_THAT(refusal([] { Linear(LinearOptions{0, 3}); }), HasSubstr("from 0 to 3"));
  EXPECT_THAT(refusal([] { Bias(0, 1); }), HasSubstr("got 0"));
  EXPECT_THAT(refusal([] { Bias(3, -2); }), HasSubstr("got -2"));
  EXPECT_THAT(refusal([] { GroupSort(1); }), HasSubstr("got 1"));
  EXPECT_THAT(refusal([] { L2NormPool2d(0); }), HasSubstr("got 0"));
  EXPECT_THAT(refusal([] { ScaledAvgPool2d(-1); }), HasSubstr("got -1"));
  EXPECT_THAT(refusal([] { InputBound(0.0); }), HasSubstr("got 0"));
  EXPECT_THAT(refusal([] { ClipGradient{INFINITY}; }), HasSubstr("got inf"));
  EXPECT_THAT(refusal([] { Permute(std::vector<std::int64_t>{0, 1}); }), HasSubstr("1 to 2"));
  EXPECT_THAT(refusal([] { Reshape(std::vector<std::int64_t>{-1}); }), HasSubstr("got -1"));
}

TEST(RefusalsTest, ImpossibleConvolutions) {
  EXPECT_THAT(refusal([] { Conv2d(Conv2dOptions{1, 1, 3, 1, 3, 8, 8}); }), HasSubstr("padding 3"));
  EXPECT_THAT(refusal([] { Conv2d(Conv2dOptions{1, 1, 5, 1, 0, 8, 4}); }), HasSubstr("8x4"));
  EXPECT_THAT(refusal([] {
                Conv2d(Conv2dOptions{1, 1, 3, 1, 1, 8, 8, Constraint::kFrobenius});
              }),
              HasSubstr("spectral or orthogonal"));
  Conv2d conv(Conv2dOptions{1, 1, 3, 1, 1, 8, 8});
  EXPECT_THAT(refusal([&] { conv->forward(torch::zeros({1, 1, 9, 8})); }), HasSubstr("8x8"));
}

TEST(RefusalsTest, NetworksByName) {
  EXPECT_THAT(refusal([] { make_network("resnet18", {{4}, 2}); }), HasSubstr("lip-mlp"));
  EXPECT_THAT(refusal([] { make_network("lip-cnn", {{40}, 2}); }), HasSubstr("lip-cnn"));
  EXPECT_THAT(refusal([] { make_network("lip-resnet", {{1, 8, 7}, 2}); }), HasSubstr("8x8"));
  EXPECT_THAT(refusal([] { make_network("lip-mlp", {{4}, 1}); }), HasSubstr("got 1"));
}

}  // namespace
}  // namespace sotto::lipschitz
