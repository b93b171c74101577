#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "sotto/core/error.h"
#include "sotto/lipschitz/fixed_layers.h"
#include "sotto/lipschitz/linear_layers.h"
#include "sotto/lipschitz/lipschitz_model.h"

namespace sotto::lipschitz {
namespace {

LipschitzModel tiny_model() {
  torch::nn::Sequential network;
  network->push_back("input", InputBound(10));
  network->push_back("linear", Linear(LinearOptions{2, 2}));
  return {network, Loss({.kind = LossKind::kKr}, 2)};
}

// The loss z_1 - z_0 of label 0 has gradient (-1, 1) xᵀ.
TEST(SignalToNoiseTest, ByHand) {
  auto model = tiny_model();
  const auto inputs = torch::tensor({{3.0F, 0.0F}, {1.0F, 0.0F}});
  const auto labels = torch::zeros({2}, torch::kLong);
  const auto ratios = signal_to_noise(model, inputs, labels, 100, {0.5});
  ASSERT_EQ(ratios.size(), 1U);
  EXPECT_EQ(ratios[0].parameter, "linear.weight");
  EXPECT_NEAR(ratios[0].elementwise, (2 + 0 + 2 + 0) / 4.0 / 0.5, 1e-5);
  EXPECT_NEAR(ratios[0].average, std::sqrt(8.0) / (0.5 * 2), 1e-5);
}

TEST(SignalToNoiseTest, NeedsOneDeviationAParameter) {
  auto model = tiny_model();
  EXPECT_THROW(signal_to_noise(model, torch::zeros({1, 2}), torch::zeros({1}, torch::kLong), 1, {}),
               InvalidArgument);
}

}  // namespace
}  // namespace sotto::lipschitz
