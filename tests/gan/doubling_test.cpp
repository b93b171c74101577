#include "gan/doubling.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

namespace sotto::gan {
namespace {

// LibTorch's own layer is the oracle: of values and of all gradients.
TEST(DoublingTest, IsTheTransposedConvolution) {
  torch::manual_seed(7);
  for (const auto& shape : {std::vector<std::int64_t>{2, 3, 7, 5}, {1, 4, 1, 1}, {3, 1, 2, 6}}) {
    Doubling layer(shape[1], 5);
    layer->to(torch::kDouble);
    const auto maps = torch::randn(shape, torch::kDouble).requires_grad_();
    const auto expected = at::conv_transpose2d(maps, layer->weight, layer->bias, 2, 1);
    const auto doubled = layer->forward(maps);
    EXPECT_TRUE(torch::allclose(doubled, expected, 1e-12, 1e-12)) << shape;

    const std::vector<torch::Tensor> inputs = {maps, layer->weight, layer->bias};
    const auto direction = torch::randn_like(expected);
    const auto gradients = torch::autograd::grad({doubled}, inputs, {direction});
    const auto oracle = torch::autograd::grad({expected}, inputs, {direction});
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      EXPECT_TRUE(torch::allclose(gradients[i], oracle[i], 1e-12, 1e-12)) << shape << ", " << i;
    }
  }
}

// Files of generators made with LibTorch's layer are read by this one, and training starts alike.
TEST(DoublingTest, HasTheParametersOfATransposedConvolution) {
  torch::manual_seed(8);
  constexpr std::int64_t kOut = 200;
  torch::nn::ConvTranspose2d other(
      torch::nn::ConvTranspose2dOptions(6, kOut, 4).stride(2).padding(1));
  const auto expected = other->named_parameters();
  const auto parameters = Doubling(6, kOut)->named_parameters();
  ASSERT_EQ(parameters.keys(), expected.keys());
  const double bound = 1 / std::sqrt(16.0 * kOut);  // of uniform numbers
  for (const auto* layer : {&expected, &parameters}) {
    for (const auto& item : *layer) {
      EXPECT_EQ(item.value().sizes(), expected[item.key()].sizes());
      const double largest = item.value().abs().max().item<double>();
      EXPECT_LE(largest, bound * (1 + 1e-6)) << item.key();
      EXPECT_GT(largest, bound * 0.9) << item.key();
    }
  }
}

}  // namespace
}  // namespace sotto::gan
