#include "engine/clip_factors.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

namespace sotto {
namespace {

using torch::Tensor;

const std::vector<std::int64_t> kLayers{0, 0, 1};

// Norms of the contributions after scaling: (N).
Tensor bounded_norms(const Tensor& squared, const Clipping& clipping, double bound) {
  const auto clip = clip_factors(squared, clipping, bound, kLayers);
  return (squared * clip.factors.square()).sum(0).sqrt();
}

TEST(ClipFactorsTest, EveryKindKeepsTheBound) {
  torch::manual_seed(1);
  const Tensor squared = torch::rand({3, 2000}, torch::kDouble).pow(8) * 1e4;
  for (const double bound : {0.01, 1.0, 30.0}) {
    for (const Clipping& clipping : {Clipping(FlatClipping{}), Clipping(PerLayerClipping{}),
                                     Clipping(AutomaticClipping{}), Clipping(AdaptiveClipping{})}) {
      const Tensor norms = bounded_norms(squared, clipping, bound);
      EXPECT_LE(norms.max().item<double>(), bound) << to_string(clipping);
      EXPECT_GE(norms.max().item<double>(), 0.5 * bound) << to_string(clipping);
    }
  }
}

TEST(ClipFactorsTest, FlatLeavesSmallGradientsAlone) {
  const Tensor squared = torch::tensor({{0.04, 4.0}, {0.0, 0.0}, {0.05, 5.0}}, torch::kDouble);
  const auto clip = clip_factors(squared, FlatClipping{}, 1, kLayers);
  EXPECT_EQ(clip.counts.unclipped, 1);
  EXPECT_EQ(clip.counts.clipped, 1);
  EXPECT_DOUBLE_EQ(clip.factors[0][0].item<double>(), 1);
  EXPECT_NEAR(clip.factors[0][1].item<double>(), 1.0 / 3 / kRoundingMargin, 1e-12);
}

TEST(ClipFactorsTest, PerLayerBoundsEachLayer) {
  const Tensor squared = torch::tensor({{9.0}, {16.0}, {1e-4}}, torch::kDouble);
  const auto clip = clip_factors(squared, PerLayerClipping{}, 1, kLayers);
  EXPECT_NEAR(clip.factors[0][0].item<double>(), std::sqrt(0.5) / 5 / kRoundingMargin, 1e-12);
  EXPECT_DOUBLE_EQ(clip.factors[2][0].item<double>(), 1);
}

// Never: NaN or Inf of one sample poisoning the sum.
TEST(ClipFactorsTest, WhatIsNotFiniteGetsFactorZero) {
  Tensor squared = torch::ones({3, 3}, torch::kDouble);
  squared[1][0] = std::nan("");
  squared[2][1] = INFINITY;
  for (const Clipping& clipping :
       {Clipping(FlatClipping{}), Clipping(PerLayerClipping{}), Clipping(AutomaticClipping{})}) {
    const auto clip = clip_factors(squared, clipping, 1, kLayers);
    EXPECT_EQ(clip.counts.discarded, 2);
    EXPECT_EQ(clip.factors.narrow(1, 0, 2).abs().sum().item<double>(), 0) << to_string(clipping);
    EXPECT_GT(clip.factors.select(1, 2).min().item<double>(), 0);
  }
}

TEST(ClipFactorsTest, NobodyInTheBatch) {
  const auto clip = clip_factors(torch::zeros({3, 0}, torch::kDouble), FlatClipping{}, 1, kLayers);
  EXPECT_EQ(clip.factors.sizes(), (std::vector<std::int64_t>{3, 0}));
}

}  // namespace
}  // namespace sotto
