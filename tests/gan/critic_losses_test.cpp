// The critic's losses: each of one record alone, and their gradients against a batch of one.
#include "gan/critic_losses.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "gan/gan_data.h"
#include "tests/grad/oracle.h"

namespace sotto::gan {
namespace {

struct Case {
  Networks networks;
  std::vector<std::int64_t> sample;
  CriticLoss loss = CriticLoss::kWasserstein;
  double penalty = 10;
};

class CriticLossesTest : public testing::TestWithParam<Case> {
 protected:
  static NetworkShape shape(const Case& c) {
    NetworkShape s{c.sample, 3, 5, 4, {}};
    s.latent = latent_size(c.networks, c.sample, 5);
    return s;
  }
};

TEST_P(CriticLossesTest, GradientsAreThoseOfABatchOfOne) {
  torch::manual_seed(2);
  const auto& c = GetParam();
  const auto s = shape(c);
  Critic critic(c.networks, s);
  critic->to(torch::kDouble);
  constexpr std::int64_t kSamples = 4;
  auto sizes = c.sample;
  sizes.insert(sizes.begin(), kSamples);
  const auto d = torch::kDouble;
  const Pairs pairs{torch::randn(sizes, d), torch::randn(sizes, d), torch::randn(sizes, d),
                    label_columns(torch::tensor({0, 2, 1, 2}), 3).to(d)};
  const grad::LossesOf losses = [&](std::int64_t begin, std::int64_t n) {
    const auto part = [&](const torch::Tensor& t) { return t.narrow(0, begin, n); };
    return critic_losses(
        critic, {part(pairs.real), part(pairs.fake), part(pairs.mixed), part(pairs.labels)},
        {c.loss, c.penalty});
  };
  grad::expect_matches_oracle(losses, kSamples, grad::named_parameters(*critic));
}

// Never: batch norms of the generator that carry one record's label into another's fake.
TEST_P(CriticLossesTest, AFakeDependsOnItsOwnLabelAlone) {
  torch::manual_seed(3);
  const auto& c = GetParam();
  const auto s = shape(c);
  Generator generator(c.networks, s);
  generator->train();
  const auto latent = torch::randn({3, s.latent});
  auto sizes = c.sample;
  sizes.insert(sizes.begin(), 3);
  const auto real = torch::zeros(sizes);
  const auto fake_of = [&](const torch::Tensor& labels) {
    return make_pairs(generator, latent, torch::rand({3}), real, label_columns(labels, 3)).fake[0];
  };
  const auto first = fake_of(torch::tensor({1, 0, 0}));
  EXPECT_TRUE(torch::allclose(first, fake_of(torch::tensor({1, 2, 1})), 1e-5, 1e-6));
  EXPECT_FALSE(torch::allclose(first, fake_of(torch::tensor({2, 0, 0})), 1e-5, 1e-6));
  EXPECT_TRUE(generator->is_training());  // as it was
}

INSTANTIATE_TEST_SUITE_P(
    Networks, CriticLossesTest,
    testing::Values(Case{Networks::kDeconv, {1, 8, 8}}, Case{Networks::kDcgan, {1, 20, 20}},
                    Case{Networks::kAutoencoder, {1, 8, 8}}, Case{Networks::kMlp, {7}},
                    Case{Networks::kMlp, {2, 4, 4}},
                    Case{Networks::kDeconv, {1, 8, 8}, CriticLoss::kLogistic, 0},
                    Case{Networks::kMlp, {7}, CriticLoss::kLogistic, 3}));

// The slope that is written out is LibTorch's, and so is its dependence on the weights.
TEST_P(CriticLossesTest, SlopesAreThoseOfARecordedPass) {
  torch::manual_seed(6);
  const auto& c = GetParam();
  Critic critic(c.networks, shape(c));
  critic->to(torch::kDouble);
  auto sizes = c.sample;
  sizes.insert(sizes.begin(), 3);
  const auto x = torch::randn(sizes, torch::kDouble).requires_grad_(true);
  const auto labels = label_columns(torch::tensor({0, 2, 1}), 3).to(torch::kDouble);
  const auto recorded =
      torch::autograd::grad({critic->forward(x, labels).sum()}, {x}, {}, {}, true)[0];
  const auto written = critic_slope(critic, x, labels);
  EXPECT_TRUE(torch::allclose(recorded, written));
  const auto gradients = [&](const torch::Tensor& slope) {
    return torch::autograd::grad({slope.square().sum()}, critic->parameters(), {}, true, false,
                                 /*allow_unused=*/true);
  };
  const auto expected = gradients(recorded);
  const auto got = gradients(written);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const bool zero = !expected[i].defined() || !expected[i].any().item<bool>();
    EXPECT_EQ(zero, !got[i].defined() || !got[i].any().item<bool>());
    if (!zero) {
      EXPECT_TRUE(torch::allclose(expected[i], got[i]));
    }
  }
}

TEST(CriticLossesTest, AreThoseOfTheAlgorithm) {
  // A linear critic: its slope is its weight, whatever the point.
  torch::manual_seed(4);
  Critic critic(Networks::kMlp, NetworkShape{{2}, 2, 3, 4, {}});
  const Pairs pairs{torch::randn({5, 2}), torch::randn({5, 2}), torch::randn({5, 2}),
                    label_columns(torch::tensor({0, 1, 0, 1, 1}), 2)};
  const auto losses = critic_losses(critic, pairs, {CriticLoss::kWasserstein, 0});
  const auto expected =
      critic->forward(pairs.fake, pairs.labels) - critic->forward(pairs.real, pairs.labels);
  EXPECT_TRUE(torch::allclose(losses, expected));
  const auto penalised = critic_losses(critic, pairs, {CriticLoss::kWasserstein, 10});
  for (std::int64_t i = 0; i < 5; ++i) {
    const auto x = pairs.mixed.narrow(0, i, 1).clone().requires_grad_(true);
    const auto score = critic->forward(x, pairs.labels.narrow(0, i, 1)).sum();
    const double slope = torch::autograd::grad({score}, {x})[0].norm().item<double>();
    EXPECT_NEAR(penalised[i].item<double>(),
                expected[i].item<double>() + 10 * (slope - 1) * (slope - 1), 1e-4);
  }
}

}  // namespace
}  // namespace sotto::gan
