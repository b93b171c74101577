// The critic's loss of an improved WGAN: gradients of every sample through its gradient penalty.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "tests/grad/oracle.h"

namespace sotto::grad {
namespace {

namespace nn = torch::nn;
using torch::Tensor;

using Critic = std::function<Tensor(const Tensor&)>;  // (n, ...) -> (n)

struct Triple {
  Tensor real, fake, mixed;

  Triple narrow(std::int64_t begin, std::int64_t n) const {
    return {real.narrow(0, begin, n), fake.narrow(0, begin, n), mixed.narrow(0, begin, n)};
  }
};

// D(fake) - D(real) + 10 (|grad D(mixed)| - 1)^2, one a sample.
Tensor critic_losses(const Critic& critic, const Triple& x) {
  const Tensor mixed = x.mixed.detach().requires_grad_(true);
  const Tensor slope = torch::autograd::grad({critic(mixed).sum()}, {mixed}, {}, {}, true)[0];
  const Tensor norm = (slope.flatten(1).square().sum(1) + 1e-12).sqrt();
  return critic(x.fake) - critic(x.real) + 10 * (norm - 1).square();
}

class GradientPenaltyTest : public testing::Test {
 protected:
  void SetUp() override { torch::manual_seed(3); }

  static void check(const nn::Module& module, const Critic& critic,
                    std::vector<std::int64_t> shape) {
    for (const std::int64_t samples : {1, 2, 5}) {
      auto sizes = shape;
      sizes.insert(sizes.begin(), samples);
      const Triple x{torch::randn(sizes, torch::kDouble), torch::randn(sizes, torch::kDouble),
                     torch::randn(sizes, torch::kDouble)};
      const LossesOf losses = [&](std::int64_t begin, std::int64_t n) {
        return critic_losses(critic, x.narrow(begin, n));
      };
      expect_matches_oracle(losses, samples, named_parameters(module));
    }
  }

  static void check(nn::Sequential model, const std::vector<std::int64_t>& shape) {
    model->to(torch::kDouble);
    check(
        *model, [&](const Tensor& x) { return model->forward(x).squeeze(1); }, shape);
  }
};

nn::LeakyReLU leaky() { return nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.2)); }

nn::Conv2dOptions strided(int in, int out) {
  return nn::Conv2dOptions(in, out, 5).stride(2).padding(2);
}

TEST_F(GradientPenaltyTest, DenseLeakyReLU) {
  check(nn::Sequential(nn::Linear(7, 9), leaky(), nn::Linear(9, 6), leaky(), nn::Linear(6, 1)),
        {7});
}

TEST_F(GradientPenaltyTest, DenseReLU) {
  check(
      nn::Sequential(nn::Linear(7, 9), nn::ReLU(), nn::Linear(nn::LinearOptions(9, 1).bias(false))),
      {7});
}

TEST_F(GradientPenaltyTest, SmoothActivations) {
  check(nn::Sequential(nn::Linear(7, 9), nn::Tanh(), nn::Linear(9, 6), nn::SELU(), nn::Linear(6, 5),
                       nn::Sigmoid(), nn::Linear(5, 4), nn::Softplus(), nn::Linear(4, 4), nn::ELU(),
                       nn::Linear(4, 4), nn::GELU(), nn::Linear(4, 1)),
        {7});
}

TEST_F(GradientPenaltyTest, StridedConvolutions) {
  check(nn::Sequential(nn::Conv2d(strided(2, 4)), leaky(), nn::Conv2d(strided(4, 5)), leaky(),
                       nn::Flatten(), nn::Linear(20, 1)),
        {2, 8, 8});
}

TEST_F(GradientPenaltyTest, PoolingAndDenseLayers) {
  check(nn::Sequential(nn::Conv2d(nn::Conv2dOptions(1, 4, 3).padding(1)), nn::SELU(),
                       nn::MaxPool2d(2), nn::Conv2d(nn::Conv2dOptions(4, 4, 3).padding(1)),
                       nn::ReLU(), nn::AvgPool2d(2), nn::Flatten(), nn::Linear(16, 8), nn::SELU(),
                       nn::Linear(8, 1)),
        {1, 8, 8});
}

TEST_F(GradientPenaltyTest, GroupedAndDilatedConvolutions) {
  check(nn::Sequential(nn::Conv2d(nn::Conv2dOptions(2, 4, 3).padding(1).groups(2).dilation(2)),
                       leaky(), nn::Flatten(), nn::Linear(4 * 5 * 5, 1)),
        {2, 7, 7});
}

}  // namespace
}  // namespace sotto::grad
