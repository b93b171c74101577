// A threshold on the loss' gradient that follows a quantile: bounds and noise must follow it.
#include <algorithm>
#include <cmath>

#include "plan/noise_scales.h"
#include "tests/lipschitz/clipless_fixture.h"

namespace sotto::lipschitz {
namespace {

using torch::Tensor;

class CliplessAdaptiveTest : public CliplessFixture {
 protected:
  // Cross entropy: L = √2.
  const double kOwn = std::sqrt(2.0);

  PlanOptions adaptive_plan(double noise_multiplier, std::int64_t steps, double start) const {
    auto options = full_plan(noise_multiplier, steps, start);
    options.clipping = AdaptiveClipping{.learning_rate = 0.6, .count_noise = 2};
    return options;
  }
};

TEST_F(CliplessAdaptiveTest, NoiseFollowsTheThresholdUpToTheLossOwnBound) {
  inputs.fill_(std::nan(""));  // scores of 0, loss gradients of 1/√2, parameter gradients of 0
  const auto options = adaptive_plan(1, 14, /*start=*/5);
  auto engine = open(options);
  double square = 0;
  double drawn = 0;
  std::vector<double> thresholds;
  while (auto batch = engine.next_batch()) {
    thresholds.push_back(engine.max_grad_norm());
    const double used = std::min(thresholds.back(), kOwn);
    step(engine, *batch);
    const auto bounds = model->gradient_bounds(engine.parameters(), thresholds.back());
    const auto scales = noise_scales(bounds, *options.bounded);
    EXPECT_NEAR(bounds[0] / options.bounded->bounds[0], used / kOwn, 1e-9);
    for (std::size_t i = 0; i < scales.size(); ++i) {
      const double deviation = engine.plan().gradient_noise_multiplier() * scales[i] /
                               static_cast<double>(kCliplessRecords);
      square += (optimizer->gradients.back()[i] / deviation).square().sum().item<double>();
      drawn += static_cast<double>(optimizer->gradients.back()[i].numel());
    }
  }
  EXPECT_NEAR(square / drawn, 1, 6 * std::sqrt(2 / drawn));
  EXPECT_GT(thresholds.front(), kOwn);
  EXPECT_LT(thresholds.back(), kOwn);  // so that both ends of the minimum were seen
  EXPECT_GT(engine.plan().gradient_noise_multiplier(), 1);  // the count takes its share
}

TEST_F(CliplessAdaptiveTest, ThresholdFindsTheNormsOfTheLossGradient) {
  inputs.fill_(std::nan(""));
  auto engine = open(adaptive_plan(0.1, 40, 5));
  train(engine);
  EXPECT_NEAR(engine.max_grad_norm(), std::sqrt(0.5), 0.35);
}

// Each sample's loss gradient is scaled down to C; nothing else is.
TEST_F(CliplessAdaptiveTest, GradientsAreThoseOfTheClippedLoss) {
  for (const double clip : {5.0, 0.4, 1e-3}) {
    optimizer = std::make_unique<RecordingOptimizer>(network->parameters(), 0.0);
    auto engine = open(full_plan(kHardlyNoisy, 1, clip));
    const auto batch = engine.next_batch();
    const auto report = step(engine, *batch);
    std::int64_t clipped = 0;
    std::vector<Tensor> expected;
    std::vector<double> sizes(network->parameters().size());
    for (const auto& weight : network->parameters()) {
      expected.push_back(torch::zeros_like(weight, torch::kDouble));
    }
    for (std::int64_t record = 0; record < kCliplessRecords; ++record) {
      const Tensor z = network->forward(inputs.narrow(0, record, 1));
      const Tensor loss = model->loss()(z, labels.narrow(0, record, 1)).sum();
      const Tensor cotangent = torch::autograd::grad({loss}, {z}, {}, true)[0];
      const double norm = cotangent.norm().item<double>();
      clipped += norm > clip ? 1 : 0;
      const Tensor scaled = cotangent.detach() * std::min(1.0, clip / norm);
      const auto gradients = torch::autograd::grad({z}, network->parameters(), {scaled});
      for (std::size_t i = 0; i < expected.size(); ++i) {
        expected[i] += gradients[i];
        sizes[i] += gradients[i].norm().item<double>();
      }
    }
    EXPECT_EQ(report.clipped, clipped) << clip;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const Tensor got = optimizer->gradients[0][i] * static_cast<double>(kCliplessRecords);
      // A gradient that reaches its bound is smaller by 2^-8, to leave room for rounding.
      EXPECT_LE((got - expected[i]).norm().item<double>(), 0x1p-8 * sizes[i]) << clip;
    }
  }
}

}  // namespace
}  // namespace sotto::lipschitz
