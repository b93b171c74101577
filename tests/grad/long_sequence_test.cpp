// Layers used at many time steps, wide enough that norms come from inner products of the terms.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "sotto/grad/grad.h"

namespace sotto::grad {
namespace {

using torch::Tensor;

constexpr std::int64_t kSamples = 7;

class LongSequenceTest : public ::testing::TestWithParam<std::int64_t> {
 protected:
  LongSequenceTest() {
    torch::manual_seed(4);
    layer_ = torch::nn::LSTM(torch::nn::LSTMOptions(24, 40).batch_first(true));
    inputs_ = torch::randn({kSamples, GetParam(), 24});
  }

  Tensor losses(const Tensor& inputs) {
    return std::get<0>(layer_->forward(inputs)).square().flatten(1).sum(1);
  }
  std::vector<NamedParameter> parameters() const {
    std::vector<NamedParameter> named;
    for (const auto& item : layer_->named_parameters()) {
      named.push_back({item.key(), item.value()});
    }
    return named;
  }

  torch::nn::LSTM layer_{nullptr};
  Tensor inputs_;
};

TEST_P(LongSequenceTest, NormsAndSumsAreThoseOfAutograd) {
  const PerSampleGradients gradients(losses(inputs_), parameters());
  const auto all = layer_->parameters();
  for (std::int64_t n = 0; n < kSamples; ++n) {
    const auto own = torch::autograd::grad({losses(inputs_.narrow(0, n, 1)).sum()}, all);
    for (std::size_t p = 0; p < all.size(); ++p) {
      const double expected = own[p].to(torch::kDouble).square().sum().item<double>();
      const auto place = static_cast<std::int64_t>(p);
      EXPECT_NEAR(gradients.squared_norms()[place][n].item<double>() / expected, 1, 1e-4);
    }
  }
  const Tensor factors = torch::rand({static_cast<std::int64_t>(all.size()), kSamples});
  const auto sums = gradients.weighted_sums(factors.to(torch::kDouble));
  for (std::size_t p = 0; p < all.size(); ++p) {
    const Tensor weighted = (losses(inputs_) * factors[static_cast<std::int64_t>(p)]).sum();
    const Tensor expected = torch::autograd::grad({weighted}, {all[p]})[0];
    // Each sample is cut off to 2^-20 of the largest norm.
    const double cut =
        std::sqrt(static_cast<double>(expected.numel())) * kSamples * 0x1p-20 *
        gradients.squared_norms()[static_cast<std::int64_t>(p)].max().sqrt().item<double>();
    EXPECT_LT((sums[p] - expected).norm().item<double>(),
              1e-5 * expected.norm().item<double>() + cut);
  }
}

// Never: one sample that is not finite reaching the others through what the time steps share.
TEST_P(LongSequenceTest, ASampleThatIsNotFiniteIsLeftOut) {
  inputs_[2].fill_(std::nan(""));
  const PerSampleGradients gradients(losses(inputs_), parameters());
  EXPECT_FALSE(gradients.squared_norms().select(1, 2).isfinite().any().item<bool>());
  Tensor factors = torch::ones({4, kSamples}, torch::kDouble);
  factors.select(1, 2).zero_();
  for (const auto& sum : gradients.weighted_sums(factors)) {
    EXPECT_TRUE(sum.isfinite().all().item<bool>());
  }
}

// By inner products, and by entries.
INSTANTIATE_TEST_SUITE_P(Steps, LongSequenceTest, ::testing::Values(2, 9, 60));

}  // namespace
}  // namespace sotto::grad
