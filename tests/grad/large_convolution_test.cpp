// A convolution whose per-sample gradients are too many to be kept: each is computed twice, once
// for its norm and once for the sum.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "sotto/grad/grad.h"

namespace sotto::grad {
namespace {

using torch::Tensor;

class LargeConvolutionTest : public ::testing::Test {
 protected:
  static constexpr std::int64_t kSamples = 90;  // times 204,800 parameters: over 2^24

  LargeConvolutionTest() {
    torch::manual_seed(3);
    layer_ = torch::nn::Conv2d(torch::nn::Conv2dOptions(64, 128, 5).padding(2));
  }

  Tensor losses(const Tensor& inputs) { return layer_->forward(inputs).tanh().flatten(1).sum(1); }
  std::vector<NamedParameter> weight() { return {{"weight", layer_->weight}}; }

  torch::nn::Conv2d layer_{nullptr};
};

TEST_F(LargeConvolutionTest, NormsAndSumsAreThoseOfAutograd) {
  const Tensor inputs = torch::randn({kSamples, 64, 6, 6});
  const PerSampleGradients gradients(losses(inputs), weight());
  for (const std::int64_t i : {0, 41, 89}) {
    const Tensor one =
        torch::autograd::grad({losses(inputs.narrow(0, i, 1)).sum()}, {layer_->weight})[0];
    const double expected = one.to(torch::kDouble).square().sum().item<double>();
    EXPECT_NEAR(gradients.squared_norms()[0][i].item<double>() / expected, 1, 1e-5) << i;
  }
  const Tensor factors = torch::rand({kSamples}, torch::kDouble);
  const Tensor expected = torch::autograd::grad(
      {(losses(inputs) * factors.to(torch::kFloat)).sum()}, {layer_->weight})[0];
  const Tensor sum = gradients.weighted_sums(factors.unsqueeze(0))[0];
  // Each sample is cut off to 2^-20 of the largest norm.
  const double cut = std::sqrt(static_cast<double>(expected.numel())) * kSamples * 0x1p-20 *
                     gradients.squared_norms().max().sqrt().item<double>();
  EXPECT_LT((sum - expected).norm().item<double>(), 1e-5 * expected.norm().item<double>() + cut);
}

// Never: a record whose terms cancel adding more than its norm says, by the rounding of the terms.
TEST_F(LargeConvolutionTest, WhatIsAddedHasTheNormThatWasMeasured) {
  const Tensor inputs = torch::randn({kSamples, 64, 6, 6});
  const Tensor nearly = inputs * (1 + 1e-7);
  const Tensor difference = 1e4 * (losses(inputs) - losses(nearly));
  const PerSampleGradients gradients(difference, weight());
  for (const std::int64_t i : {0, 41, 89}) {
    const Tensor factors = torch::zeros({kSamples}, torch::kDouble);
    factors[i] = 1 / gradients.squared_norms()[0][i].sqrt();
    const Tensor added = gradients.weighted_sums(factors.unsqueeze(0))[0].to(torch::kDouble);
    EXPECT_NEAR(added.norm().item<double>(), 1, 1e-3) << i;
    EXPECT_LE(added.norm().item<double>(), 1 + 1e-5) << i;
  }
}

}  // namespace
}  // namespace sotto::grad
