// A sample that nobody shares its physical batch with contributes what it would among others
// (docs/finite-precision.md).
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "engine/clip_factors.h"
#include "plan/clip_rule.h"
#include "sotto/engine/privacy_engine.h"
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
      clip_factors(gradients.squared_norms(), FlatClipping{}, kBound, one_layer).factors;
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

// The engine hands a lone sample out twice, and counts it once. (LibTorch's products of matrices of
// 2 and of 7 rows need not be the same to the last bit; 2^-10 is what is assumed.)
TEST(LoneSampleTest, TheGraphAddsItUpAlikeBesideItsCopy) {
  for (const auto& network : networks()) {
    const auto samples = random_samples(network);
    for (const std::int64_t i : {0, 3, 6}) {
      const Samples twice{samples.inputs.narrow(0, i, 1).repeat_interleave(2, 0),
                          samples.labels.narrow(0, i, 1).repeat_interleave(2, 0)};
      EXPECT_LE(distance(contributed_by_graph(network, twice, 0),
                         contributed_by_graph(network, samples, i)),
                0x1p-20 * kBound)
          << network.name;
    }
  }
}

// What an engine adds up of these records, with next to no noise.
Tensor sum_by_engine(const Tensor& inputs, const Tensor& targets) {
  nn::Linear model(4, 1);
  torch::optim::SGD optimizer(model->parameters(), static_cast<double>(inputs.size(0)));
  {
    torch::NoGradGuard no_gradients;
    for (auto& parameter : model->parameters()) parameter.zero_();
  }
  PlanOptions plan{.dataset_size = inputs.size(0), .batch_size = inputs.size(0), .steps = 1};
  plan.sampling = accounting::Sampling::kNone;
  plan.noise_multiplier = 0.01;
  plan.max_grad_norm = kBound;
  auto engine = make_private(*model, optimizer, plan, {.insecure_seed = 3});
  const auto batch = engine.next_batch();
  EXPECT_EQ(batch->size(), std::max<std::int64_t>(2, inputs.size(0)));
  const Tensor scores = model(inputs.index_select(0, batch->indices)).squeeze(1);
  const auto report = engine.step((scores - targets.index_select(0, batch->indices)).square());
  EXPECT_EQ(report.samples, inputs.size(0));
  std::vector<Tensor> flat;
  for (const auto& parameter : model->parameters()) flat.push_back(parameter.detach().flatten());
  return torch::cat(flat);
}

// A gradient too large for its square to be looked at contributes nothing: alone or not.
TEST(LoneSampleTest, WhoJoinsItDoesNotChangeHowItIsClipped) {
  const Tensor inputs = torch::tensor({{1.0F, 1.0F, 1.0F, 1.0F}, {1e-10F, 1e-10F, 1e-10F, 1e-10F}});
  const Tensor targets = torch::tensor({-3.0F, 2e15F});
  const Tensor both = sum_by_engine(inputs, targets);
  const Tensor alone = sum_by_engine(inputs.narrow(0, 1, 1), targets.narrow(0, 1, 1));
  EXPECT_LE((both - alone).norm().item<double>(), kBound * 1.1);
}

TEST(LoneSampleTest, NobodyIsHandedOutAlone) {
  nn::Linear model(2, 1);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  PlanOptions plan{.dataset_size = 20'000, .batch_size = 2000, .steps = 20};
  plan.noise_multiplier = 1;
  std::int64_t copies = 0;
  for (const std::int64_t physical : {2, 63, 64, 65, 100}) {
    auto engine =
        make_private(*model, optimizer, plan, {.physical_batch = physical, .insecure_seed = 1});
    while (const auto batch = engine.next_batch()) {
      EXPECT_GE(batch->size(), 2);
      EXPECT_LE(batch->size(), physical);
      const auto report = engine.step(model->forward(torch::ones({batch->size(), 2})).sum(1));
      copies += batch->size() - report.samples;
    }
  }
  EXPECT_GT(copies, 10);
}

// Masks that are known would shift by one for all behind a record.
TEST(LoneSampleTest, DropoutCannotBeForetoldFromASeed) {
  nn::Sequential model(nn::Dropout(0.5), nn::Linear(64, 1));
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  PlanOptions plan{.dataset_size = 10, .batch_size = 10, .steps = 1};
  plan.sampling = accounting::Sampling::kNone;
  plan.noise_multiplier = 1;
  std::vector<Tensor> masks;
  for (int run = 0; run < 2; ++run) {
    auto engine = make_private(*model, optimizer, plan);
    torch::manual_seed(1);
    const auto batch = engine.next_batch();
    masks.push_back(torch::dropout(torch::ones({64}), 0.5, true));
    engine.step(model->forward(torch::ones({batch->size(), 64})).sum(1));
  }
  EXPECT_FALSE(masks[0].equal(masks[1]));
}

}  // namespace
}  // namespace sotto::lone_sample
