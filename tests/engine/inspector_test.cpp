#include "sotto/engine/inspector.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "sotto/core/error.h"
#include "tests/grad/oracle.h"

namespace sotto {
namespace {

namespace nn = torch::nn;
using torch::Tensor;

TEST(InspectorTest, NamesTheModuleTheReasonAndTheRemedy) {
  nn::Sequential model(nn::Conv2d(1, 6, 3), nn::BatchNorm2d(6), nn::ReLU());
  const auto findings = check(*model);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].module, "1");
  EXPECT_NE(findings[0].text().find("mixes the samples"), std::string::npos);
  EXPECT_NE(findings[0].text().find("GroupNorm"), std::string::npos);
  EXPECT_THROW(require_compatible(*model), InvalidArgument);
}

// One's own class: a BatchNorm in a member, and one in a Sequential that is a member.
struct OwnNetworkImpl : nn::Module {
  OwnNetworkImpl() {
    register_module("norm", norm);
    register_module("features", features);
  }
  nn::BatchNorm2d norm{48};
  nn::Sequential features{nn::Conv2d(1, 6, 3), nn::BatchNorm2d(6)};
};

TEST(InspectorTest, AdvisesWhatCanBeDone) {
  nn::Sequential plain(nn::BatchNorm2d(48));
  EXPECT_EQ(check(*plain)[0].remedy,
            "use GroupNorm(GroupNormOptions(16, 48)), or make_compatible(model)");
  const OwnNetworkImpl own;
  const auto findings = check(own);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].module, "norm");
  EXPECT_EQ(findings[0].remedy,
            "use GroupNorm(GroupNormOptions(16, 48)) in your class, by hand: make_compatible "
            "replaces layers of a Sequential, not members of other classes");
  EXPECT_EQ(findings[1].module, "features.1");
  EXPECT_EQ(findings[1].remedy,
            "use GroupNorm(GroupNormOptions(2, 6)), or, in your class, hold "
            "make_compatible(...).model of the Sequential 'features' in its place");
}

TEST(InspectorTest, FindsWhatLeaksWithoutNoise) {
  nn::Sequential norms(
      nn::InstanceNorm1d(nn::InstanceNormOptions(3).affine(true).track_running_stats(true)));
  EXPECT_EQ(check(*norms).size(), 1U);
  nn::Sequential words(nn::Embedding(nn::EmbeddingOptions(5, 3).max_norm(1)));
  EXPECT_EQ(check(*words).size(), 1U);
  nn::AdaptiveLogSoftmaxWithLoss rare(nn::AdaptiveLogSoftmaxWithLossOptions(16, 10, {2, 5}));
  ASSERT_FALSE(check(*rare).empty());
  EXPECT_NE(check(*rare)[0].text().find("label is rare"), std::string::npos);
  nn::Sequential nothing{nn::ReLU()};
  EXPECT_EQ(check(*nothing).size(), 1U);
  nn::Sequential good(nn::Linear(3, 3), nn::LayerNorm(nn::LayerNormOptions({3})));
  EXPECT_TRUE(check(*good).empty());
}

TEST(InspectorTest, MakesModelsCompatible) {
  nn::Sequential model(nn::Conv2d(1, 48, 3), nn::BatchNorm2d(48), nn::ReLU());
  const auto [converted, changes] = make_compatible(model);
  EXPECT_TRUE(check(*converted).empty());
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_NE(changes[0].find("16 groups"), std::string::npos) << changes[0];
  auto copy = converted;
  EXPECT_EQ(copy->forward(torch::randn({2, 1, 8, 8})).sizes(),
            (std::vector<std::int64_t>{2, 48, 6, 6}));
  EXPECT_EQ(copy[0]->parameters()[0].data_ptr(), model[0]->parameters()[0].data_ptr());
}

TEST(InspectorTest, SelfcheckPassesAGoodModelAndPrintsTheDifference) {
  torch::manual_seed(3);
  nn::Sequential model(nn::Linear(5, 4), nn::Tanh(), nn::Linear(4, 2));
  const Tensor x = torch::randn({6, 5});
  const auto report = selfcheck(
      [&](std::int64_t begin, std::int64_t n) {
        return model->forward(x.narrow(0, begin, n)).square().sum(1);
      },
      6, grad::named_parameters(*model));
  EXPECT_TRUE(report.passed());
  EXPECT_LT(report.largest_gradient_difference, 1e-5);
  EXPECT_NE(report.text().find("largest relative difference"), std::string::npos);
}

TEST(InspectorTest, SelfcheckIsNotAlarmedByAGradientThatIsZeroInTheory) {
  torch::manual_seed(3);
  nn::Sequential model(nn::Conv2d(1, 4, 3), nn::InstanceNorm2d(4), nn::Flatten(),
                       nn::Linear(64, 2));
  const Tensor x = torch::randn({4, 1, 6, 6});
  const auto report = selfcheck(
      [&](std::int64_t begin, std::int64_t n) {
        return model->forward(x.narrow(0, begin, n)).square().sum(1);
      },
      4, grad::named_parameters(*model));
  EXPECT_TRUE(report.passed()) << report.text();
}

// What no look at the graph can see: the batch's statistics entering as constants.
TEST(InspectorTest, SelfcheckCatchesDetachedStatistics) {
  torch::manual_seed(3);
  nn::Linear model(5, 4);
  const Tensor x = torch::randn({6, 5});
  const auto report = selfcheck(
      [&](std::int64_t begin, std::int64_t n) {
        const Tensor part = x.narrow(0, begin, n);
        return model((part - part.mean(0)) / 2).square().sum(1);
      },
      6, grad::named_parameters(*model));
  EXPECT_FALSE(report.passed());
}

}  // namespace
}  // namespace sotto
