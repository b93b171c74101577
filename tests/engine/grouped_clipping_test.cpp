// Groups of parameters with bounds of their own: what a record adds, and what noise is added.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "plan/clip_rule.h"
#include "sotto/engine/privacy_engine.h"
#include "tests/engine/training_fixture.h"

namespace sotto {
namespace {

class GroupedClippingTest : public TrainingFixture {
 protected:
  static PlanOptions grouped(double noise_multiplier, std::int64_t steps = 10) {
    auto plan = options(noise_multiplier, steps);
    plan.clipping = GroupedClipping{2};
    return plan;
  }
  PrivacyEngine engine_for(const PlanOptions& plan) {
    return make_private(*model, optimizer, plan);
  }
  // Weights and biases apart.
  static std::vector<ClipGroup> groups(double weights, double biases) {
    return {{{0, 2}, weights}, {{1, 3}, biases}};
  }

  torch::optim::SGD optimizer{model->parameters(), 1.0};
};

TEST_F(GroupedClippingTest, EveryGroupIsScaledToItsOwnBound) {
  const ClipRule rule({0, 1, 0}, {3.0, 0.5});
  // Three parameters, two samples: norms of group 0 are 5 and 1, of group 1 are 0.1 and 2.
  const std::vector<double> squares{9, 1, 0.01, 4, 16, 0};
  std::vector<double> factors(6);
  rule.factors(squares.data(), 2, 2, factors.data());
  EXPECT_NEAR(factors[0], 0.6 / kRoundingMargin, 1e-12);
  EXPECT_NEAR(factors[4], 0.6 / kRoundingMargin, 1e-12);
  EXPECT_NEAR(factors[2], 1, 1e-5);
  EXPECT_NEAR(factors[1], 1, 1e-5);
  EXPECT_NEAR(factors[3], 0.25 / kRoundingMargin, 1e-12);
  EXPECT_LE(factors[0] * 5, 3.0);
  EXPECT_LE(factors[3] * 2, 0.5);
}

// k sums with σ√k times their bounds are one Gaussian of σ: as dear as flat clipping with σ.
TEST_F(GroupedClippingTest, CostsWhatFlatClippingCosts) {
  auto plain = options(1.3);
  const Plan flat(plain);
  const Plan in_groups(grouped(1.3));
  const auto cost = [](const Plan& plan) {
    return accounting::cost_at_delta(plan.composition(10), plan.neighbours(), 1e-5).epsilon;
  };
  EXPECT_EQ(cost(flat), cost(in_groups));
  EXPECT_NEAR(in_groups.gradient_noise_multiplier(), 1.3 * std::sqrt(2.0), 1e-12);
}

TEST_F(GroupedClippingTest, NoiseFollowsTheBounds) {
  constexpr double kWeights = 1e3;
  constexpr double kBiases = 10;
  constexpr double kSigma = 50;  // far above any gradient
  double of_weights = 0, of_biases = 0;
  constexpr int kSteps = 60;
  auto engine = engine_for(grouped(kSigma, kSteps));
  engine.set_clip_groups(groups(kWeights, kBiases));
  const auto shares = [&] {
    std::vector<torch::Tensor> values;
    for (const auto& p : model->parameters()) values.push_back(p.detach().clone().flatten());
    return std::pair{torch::cat({values[0], values[2]}), torch::cat({values[1], values[3]})};
  };
  auto before = shares();
  while (auto batch = engine.next_batch()) {
    engine.step(losses(batch->indices));
    const auto after = shares();
    of_weights += (after.first - before.first).square().mean().item<double>() / kSteps;
    of_biases += (after.second - before.second).square().mean().item<double>() / kSteps;
    before = after;
  }
  const double multiplier = kSigma * std::sqrt(2.0) / 20;  // learning rate 1, divided by the batch
  EXPECT_NEAR(std::sqrt(of_weights) / (multiplier * kWeights), 1, 0.08);  // 64 entries, 60 steps
  EXPECT_NEAR(std::sqrt(of_biases) / (multiplier * kBiases), 1, 0.2);     // 10 entries
}

TEST_F(GroupedClippingTest, RefusesGroupsThatAreNoPartition) {
  auto engine = engine_for(grouped(1));
  EXPECT_THROW(engine.next_batch(), std::logic_error);  // none are set
  EXPECT_THROW(engine.set_clip_groups({{{0, 1, 2, 3}, 1}}), InvalidArgument);
  EXPECT_THROW(engine.set_clip_groups({{{0, 1}, 1}, {{2}, 1}}), InvalidArgument);
  EXPECT_THROW(engine.set_clip_groups({{{0, 1}, 1}, {{1, 2, 3}, 1}}), InvalidArgument);
  EXPECT_THROW(engine.set_clip_groups({{{0, 1}, 1}, {{2, 9}, 1}}), InvalidArgument);
  EXPECT_THROW(engine.set_clip_groups(groups(1, 0)), InvalidArgument);
  EXPECT_THROW(engine.set_clip_groups(groups(1, NAN)), InvalidArgument);
  engine.set_clip_groups(groups(1, 1));
  ASSERT_TRUE(engine.next_batch());
  EXPECT_THROW(engine.set_clip_groups(groups(2, 2)), std::logic_error);  // inside a batch
}

TEST_F(GroupedClippingTest, RefusedGroupsLeaveTheFormerOnes) {
  auto engine = engine_for(grouped(1));
  engine.set_clip_groups(groups(1, 1));
  EXPECT_THROW(engine.set_clip_groups(groups(1, 0)), InvalidArgument);
  EXPECT_TRUE(engine.next_batch());
}

}  // namespace
}  // namespace sotto
