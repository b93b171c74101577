// Noise on each parameter against what one record can do to it.
#include <cmath>

#include "plan/noise_scales.h"
#include "tests/lipschitz/clipless_fixture.h"
#include "tests/lipschitz/exact_norms.h"

namespace sotto::lipschitz {
namespace {

using torch::Tensor;

class CliplessNoiseTest : public CliplessFixture {
 protected:
  // Records that become zero, so that gradients are: what reaches the optimizer is noise.
  void blank_records() { inputs.fill_(std::nan("")); }

  // Its standard deviation, by parameter, over all steps.
  std::vector<double> measured_deviations() const {
    std::vector<double> deviations(optimizer->gradients.front().size());
    for (std::size_t i = 0; i < deviations.size(); ++i) {
      double square = 0;
      for (const auto& step : optimizer->gradients)
        square += step[i].square().mean().item<double>();
      deviations[i] = std::sqrt(square / static_cast<double>(optimizer->gradients.size()));
    }
    return deviations;
  }

  // Six standard errors of a deviation.
  double tolerance(std::size_t parameter) const {
    const auto drawn = static_cast<double>(optimizer->gradients.front()[parameter].numel()) *
                       static_cast<double>(optimizer->gradients.size());
    return 6 / std::sqrt(2 * drawn);
  }
};

TEST_F(CliplessNoiseTest, HasThePlansDeviationOnEveryParameter) {
  blank_records();
  for (const auto strategy : {NoiseStrategy::kGlobal, NoiseStrategy::kPerLayer}) {
    for (const auto& coefficients : {std::vector<double>{}, std::vector<double>{1, 3}}) {
      optimizer->gradients.clear();
      auto options = plan(/*noise_multiplier=*/1.5, 8);
      options.bounded->strategy = strategy;
      options.bounded->coefficients = coefficients;
      auto engine = open(options);
      train(engine);
      const auto scales = noise_scales(options.bounded->bounds, *options.bounded);
      const auto measured = measured_deviations();
      for (std::size_t i = 0; i < scales.size(); ++i) {
        const double expected = 1.5 * scales[i] / 20;
        EXPECT_NEAR(measured[i] / expected, 1, tolerance(i)) << to_string(strategy) << " " << i;
      }
    }
  }
}

// By hand: two parameters, each of bound X·√2 with X = √6/2.
TEST_F(CliplessNoiseTest, ScalesByHand) {
  const auto bounded = model->bounded_noise(NoiseStrategy::kGlobal, 2);
  const double each = std::sqrt(6.0) / 2 * std::sqrt(2.0);
  ASSERT_EQ(bounded.bounds.size(), 2U);
  for (const double bound : bounded.bounds) EXPECT_NEAR(bound, each, 2e-3 * each);
  EXPECT_NEAR(noise_scales(bounded.bounds, bounded)[0], std::sqrt(2.0) * bounded.bounds[0], 1e-12);
}

// What one record adds, relative to the noise: at most 1, whoever it is.
TEST_F(CliplessNoiseTest, CoversEveryRecord) {
  inputs[0] *= 1e6;
  inputs[1].fill_(1e30);
  inputs[2].fill_(-1e-30);
  inputs[3].fill_(std::nan(""));
  inputs[4][0] = INFINITY;
  inputs[5].fill_(3e38);
  for (const auto strategy : {NoiseStrategy::kGlobal, NoiseStrategy::kPerLayer}) {
    auto bounded = model->bounded_noise(strategy, 2);
    bounded.coefficients = {0.2, 7};
    const auto scales = noise_scales(bounded.bounds, bounded);
    for (std::int64_t record = 0; record < kCliplessRecords; ++record) {
      double square = 0;
      const auto gradients = sum_of_gradients(torch::tensor({record}));
      for (std::size_t i = 0; i < scales.size(); ++i) {
        square += std::pow(length_of(gradients[i]) / scales[i], 2);
      }
      EXPECT_LE(square, 1) << record;
    }
  }
}

TEST_F(CliplessNoiseTest, SignalIsMeasuredAgainstIt) {
  const std::vector<double> deviations{0.5, 2};
  const auto levels = signal_to_noise(*model, inputs, labels, 2, deviations);
  const auto sums = sum_of_gradients(torch::arange(kCliplessRecords));
  ASSERT_EQ(levels.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const Tensor relative = sums[i] / static_cast<double>(kCliplessRecords) / deviations[i];
    const double entries = std::sqrt(static_cast<double>(relative.numel()));
    EXPECT_EQ(levels[i].parameter, network->named_parameters()[i].key());
    EXPECT_NEAR(levels[i].elementwise, relative.abs().mean().item<double>(), 1e-6);
    EXPECT_NEAR(levels[i].average, length_of(relative) / entries, 1e-6);
  }
}

TEST(NoiseScalesTest, TogetherTheyAreOneMechanism) {
  torch::manual_seed(4);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<double> bounds;
    BoundedNoise noise;
    for (int i = 0; i <= trial % 7; ++i) {
      bounds.push_back(std::exp(4 * torch::randn({1}).item<double>()));
      noise.coefficients.push_back(std::exp(2 * torch::randn({1}).item<double>()));
    }
    for (const auto strategy : {NoiseStrategy::kGlobal, NoiseStrategy::kPerLayer}) {
      noise.strategy = strategy;
      const auto scales = noise_scales(bounds, noise);
      double square = 0;
      for (std::size_t i = 0; i < bounds.size(); ++i) square += std::pow(bounds[i] / scales[i], 2);
      EXPECT_NEAR(square, 1, 1e-12);
    }
  }
}

TEST(NoiseScalesTest, CoefficientsAreRelative) {
  BoundedNoise noise{NoiseStrategy::kPerLayer, {1, 2, 4}, {}};
  const auto scales = noise_scales({3, 5, 7}, noise);
  EXPECT_NEAR(scales[1] / 5, 2 * scales[0] / 3, 1e-12);
  EXPECT_NEAR(scales[2] / 7, 4 * scales[0] / 3, 1e-12);
  noise.coefficients = {10, 20, 40};
  const auto larger = noise_scales({3, 5, 7}, noise);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(larger[i], scales[i], 1e-12 * scales[i]);
}

}  // namespace
}  // namespace sotto::lipschitz
