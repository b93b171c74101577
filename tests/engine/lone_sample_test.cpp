// What a sample contributes does not depend on its companions (docs/finite-precision.md).
#include <gtest/gtest.h>
#include <torch/torch.h>

#include "plan/clip_rule.h"
#include "sotto/grad/grad.h"
#include "sotto/models/models.h"

namespace sotto::lone_sample {
namespace {

namespace nn = torch::nn;
using torch::Tensor;

constexpr double kBound = 1;
constexpr std::int64_t kSamples = 7;
constexpr std::int64_t kClasses = 10;

struct Network {
  std::string name;
  nn::Sequential model;
  std::vector<std::int64_t> sample_shape;
};

std::vector<Network> networks() {
  torch::manual_seed(5);
  nn::Sequential normalised(nn::Conv2d(nn::Conv2dOptions(3, 8, 3).padding(1)), nn::GroupNorm(2, 8),
                            nn::GELU(), nn::AvgPool2d(2), nn::Flatten(), nn::Linear(128, kClasses));
  return {
      {"cnn", models::make_model("cnn", {{1, 28, 28}, kClasses}), {1, 28, 28}},
      {"wide", nn::Sequential(nn::Linear(300, 200), nn::Tanh(), nn::Linear(200, kClasses)), {300}},
      {"normalised", normalised, {3, 8, 8}}};
}

struct Samples {
  Tensor inputs;
  Tensor labels;

  Samples only(std::int64_t i) const { return {inputs.narrow(0, i, 1), labels.narrow(0, i, 1)}; }
};

Samples random_samples(const Network& network) {
  torch::manual_seed(6);
  auto sizes = network.sample_shape;
  sizes.insert(sizes.begin(), kSamples);
  return {torch::randn(sizes) * 2, torch::randint(kClasses, {kSamples})};
}

std::vector<Tensor> parameters_of(const Network& network) { return network.model->parameters(); }

std::vector<std::int64_t> chains_of_one(std::int64_t samples) {
  std::vector<std::int64_t> ends;
  for (std::int64_t end = 1; end <= samples; ++end) ends.push_back(end);
  return ends;
}

std::vector<Tensor> values_of(grad::ExactSums& sums) {
  std::vector<Tensor> all;
  for (std::size_t p = 0; p < sums.size(); ++p) all.push_back(sums.real(p).clone());
  return all;
}

// Each sample a chain of its own.
std::vector<Tensor> contributed_by_kernels(const Network& network, const Samples& samples) {
  const auto tensors = parameters_of(network);
  const auto [kernels, reason] = grad::FusedModel::compile(
      network.model, {.sample_shape = network.sample_shape, .threads = 2});
  EXPECT_NE(kernels, nullptr) << reason;
  const ClipRule rule(FlatClipping{}, kBound, std::vector<std::int64_t>(tensors.size(), 0));
  grad::ExactSums sums(tensors, std::vector<double>(tensors.size(), kBound));
  kernels->clipped_gradients(
      {samples.inputs, samples.labels},
      [&](const double* squared_norms, std::int64_t stride, std::int64_t count, double* factors) {
        rule.factors(squared_norms, stride, count, factors);
      },
      chains_of_one(samples.inputs.size(0)), sums);
  return values_of(sums);
}

// Sums are exact: those of single calls add up to that of one call, to the last bit.
TEST(LoneSampleTest, FusedKernelsGiveItTheSameBits) {
  for (const auto& network : networks()) {
    const auto samples = random_samples(network);
    const auto together = contributed_by_kernels(network, samples);
    auto apart = contributed_by_kernels(network, samples.only(0));
    for (std::int64_t i = 1; i < kSamples; ++i) {
      const auto alone = contributed_by_kernels(network, samples.only(i));
      for (std::size_t p = 0; p < apart.size(); ++p) apart[p] += alone[p];
    }
    for (std::size_t p = 0; p < apart.size(); ++p) {
      EXPECT_TRUE(apart[p].equal(together[p])) << network.name << ", parameter " << p;
    }
  }
}

}  // namespace
}  // namespace sotto::lone_sample
