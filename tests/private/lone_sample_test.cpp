// A sample that nobody shares its physical batch with: what it contributes, and what happens to
// the sum when another joins it (docs/finite-precision.md).
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "private/clip_factors.h"
#include "private/clip_rule.h"
#include "sotto/grad/fused_model.h"
#include "sotto/grad/per_sample_gradients.h"
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
  std::string reason;
  const auto kernels = grad::FusedModel::compile(
      network.model, {.sample_shape = network.sample_shape, .threads = 2}, reason);
  EXPECT_NE(kernels, nullptr) << reason;
  const ClipRule rule(Clipping::kFlat, kBound, std::vector<std::int64_t>(tensors.size(), 0));
  grad::ExactSums sums(tensors, std::vector<double>(tensors.size(), kBound));
  kernels->clipped_gradients(
      {samples.inputs, samples.labels},
      [&](const double* squared_norms, std::int64_t stride, std::int64_t count, double* factors) {
        rule.factors(squared_norms, stride, count, factors);
      },
      chains_of_one(samples.inputs.size(0)), sums);
  return values_of(sums);
}

// What sample `counted` of these adds to the sums; the others are there, with factor 0.
std::vector<Tensor> contributed_by_graph(const Network& network, const Samples& samples,
                                         std::int64_t counted) {
  std::vector<grad::NamedParameter> parameters;
  for (const auto& item : network.model->named_parameters()) {
    parameters.push_back({item.key(), item.value()});
  }
  nn::Sequential model = network.model;
  const Tensor losses = nn::functional::cross_entropy(
      model->forward(samples.inputs), samples.labels,
      nn::functional::CrossEntropyFuncOptions().reduction(torch::kNone));
  const grad::PerSampleGradients gradients(losses, parameters);
  const std::vector<std::int64_t> one_layer(parameters.size(), 0);
  const Tensor factors =
      clip_factors(gradients.squared_norms(), Clipping::kFlat, kBound, one_layer).factors;
  Tensor counted_only = torch::zeros_like(factors);
  counted_only.select(1, counted).copy_(factors.select(1, counted));
  grad::ExactSums sums(parameters_of(network), std::vector<double>(parameters.size(), kBound));
  gradients.add_to(sums, counted_only, chains_of_one(losses.size(0)));
  return values_of(sums);
}

double distance(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  double square = 0;
  for (std::size_t p = 0; p < a.size(); ++p) square += (a[p] - b[p]).square().sum().item<double>();
  return std::sqrt(square);
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

// LibTorch's own gradient of one sample is cut off to whole units, entry by entry.
TEST(LoneSampleTest, TheGraphMovesItByLessThanAUnitAnEntry) {
  for (const auto& network : networks()) {
    const auto samples = random_samples(network);
    double entries = 0;
    for (const auto& parameter : parameters_of(network)) {
      entries += static_cast<double>(parameter.numel());
    }
    const double unit = grad::ExactSums({torch::zeros({1})}, {kBound}).unit(0);
    double farthest = 0;
    for (const std::int64_t i : {0, 3, 6}) {
      farthest = std::max(farthest, distance(contributed_by_graph(network, samples.only(i), 0),
                                             contributed_by_graph(network, samples, i)));
    }
    EXPECT_LE(farthest, std::sqrt(entries) * unit) << network.name;
    EXPECT_GT(farthest, 0) << network.name << ": no other way of adding up, and no test";
  }
}

// Products of a Linear layer: the sum of both, and that of the lone one.
Tensor sum_of(const nn::Linear& layer, const Tensor& inputs, const Tensor& slopes) {
  nn::Linear used = layer;
  const grad::PerSampleGradients gradients((used(inputs) * slopes).sum(1),
                                           {{"weight", layer->weight}});
  const Tensor factors =
      clip_factors(gradients.squared_norms(), Clipping::kFlat, kBound, {0}).factors;
  grad::ExactSums sums({layer->weight}, {kBound});
  gradients.add_to(sums, factors, {inputs.size(0)});
  return sums.real(0);
}

// The worst case: every entry of the lone sample's gradient is a little less than a unit, and all
// of them vanish where it is alone.
void expect_joining_moves_by_the_bound(std::int64_t side) {
  const nn::Linear layer(nn::LinearOptions(side, side).bias(false));
  const double unit = grad::ExactSums({layer->weight}, {kBound}).unit(0);
  const double root = std::sqrt(0.999 * unit);
  Tensor inputs = torch::full({2, side}, root);
  inputs[1].fill_(1);
  const Tensor slopes = inputs.clone();
  const Tensor with = sum_of(layer, inputs, slopes);
  const Tensor without = sum_of(layer, inputs.narrow(0, 0, 1), slopes.narrow(0, 0, 1));
  EXPECT_LE((with - without).norm().item<double>(), kBound) << side << " x " << side;
}

TEST(LoneSampleTest, WhoJoinsItMovesTheSumByNoMoreThanTheBound) {
  for (const std::int64_t side : {1, 100, 1024, 2048}) expect_joining_moves_by_the_bound(side);
}

}  // namespace
}  // namespace sotto::lone_sample
