// The one assumption about LibTorch (docs/finite-precision.md): what it computes for a sample
// hardly depends on who else is in the call.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <limits>

#include "engine/clip_factors.h"
#include "sotto/grad/grad.h"
#include "sotto/lipschitz/lipschitz_model.h"
#include "sotto/models/models.h"

namespace sotto::companions {
namespace {

namespace nn = torch::nn;
using torch::Tensor;

constexpr double kBound = 1;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Scores = std::function<Tensor(const Tensor&)>;

struct Network {
  std::string name;
  std::shared_ptr<nn::Module> module;
  Scores scores;
  std::vector<std::int64_t> sample_shape;
};

Network of(const std::string& name, nn::Sequential model, std::vector<std::int64_t> shape) {
  return {name, model.ptr(), [model](const Tensor& x) mutable { return model->forward(x); },
          std::move(shape)};
}

Network recurrent() {
  nn::LSTM layer(nn::LSTMOptions(12, 24).batch_first(true));
  return {"lstm",
          layer.ptr(),
          [layer](const Tensor& x) mutable {
            return std::get<0>(layer->forward(x)).select(1, -1).narrow(1, 0, 10);
          },
          {14, 12}};
}

Network attention() {
  nn::TransformerEncoderLayer layer(
      nn::TransformerEncoderLayerOptions(24, 4).dim_feedforward(48).dropout(0));
  return {"attention",
          layer.ptr(),
          [layer](const Tensor& x) mutable {
            return layer->forward(x.transpose(0, 1)).mean(0).narrow(1, 0, 10);
          },
          {14, 24}};
}

std::vector<Network> networks() {
  std::vector<Network> all;
  all.push_back(of("cnn", models::make_model("cnn", {{1, 28, 28}, 10}), {1, 28, 28}));
  all.push_back(
      of("wide", nn::Sequential(nn::Linear(300, 200), nn::Tanh(), nn::Linear(200, 10)), {300}));
  all.push_back(of("lip-mlp", lipschitz::make_network("lip-mlp", {{60}, 10}), {60}));
  all.push_back(recurrent());
  all.push_back(attention());
  return all;
}

// The exact sum of what samples contribute, but for sample `without`.
std::vector<Tensor> contributed(const Network& network, const Tensor& inputs, const Tensor& labels,
                                std::int64_t without) {
  std::vector<grad::NamedParameter> parameters;
  std::vector<Tensor> tensors;
  std::vector<std::int64_t> layers;
  for (const auto& item : network.module->named_parameters()) {
    parameters.push_back({item.key(), item.value()});
    tensors.push_back(item.value());
    layers.push_back(0);
  }
  const Tensor losses = nn::functional::cross_entropy(
      network.scores(inputs), labels,
      nn::functional::CrossEntropyFuncOptions().reduction(torch::kNone));
  const grad::PerSampleGradients gradients(losses, parameters);
  Tensor factors = clip_factors(gradients.squared_norms(), FlatClipping{}, kBound, layers).factors;
  if (without >= 0) factors.select(1, without).zero_();
  grad::ExactSums sums(tensors, std::vector<double>(tensors.size(), kBound));
  // Each sample a chain of its own: sums of chains are not what is looked at here.
  std::vector<std::int64_t> chains;
  for (std::int64_t end = 1; end <= inputs.size(0); ++end) chains.push_back(end);
  gradients.add_to(sums, factors, chains);
  std::vector<Tensor> all;
  for (std::size_t p = 0; p < sums.size(); ++p) all.push_back(sums.real(p));
  return all;
}

// What the others contribute does not follow from the values of one, even of huge ones.
TEST(CompanionsTest, ASamplesValuesDoNotReachTheOthers) {
  constexpr std::int64_t kSamples = 200;
  for (const auto& network : networks()) {
    torch::manual_seed(5);
    auto sizes = network.sample_shape;
    sizes.insert(sizes.begin(), kSamples);
    const Tensor inputs = torch::randn(sizes) * 2;
    const Tensor labels = torch::randint(10, {kSamples});
    for (const std::int64_t out : {0, 1, 100, 199}) {
      const auto before = contributed(network, inputs, labels, out);
      for (const double scale : {0.0, -3.0, 130.0, 1e15, kInfinity}) {
        // LibTorch's attention asks whether its inputs are equal, which NaN is not to itself.
        if (network.name == "attention" && !std::isfinite(scale)) continue;
        Tensor others = inputs.clone();
        others.select(0, out).mul_(scale);
        Tensor other_labels = labels.clone();
        other_labels[out] = 9 - labels[out];
        const auto after = contributed(network, others, other_labels, out);
        for (std::size_t p = 0; p < before.size(); ++p) {
          EXPECT_TRUE(before[p].equal(after[p])) << network.name << ' ' << scale;
        }
      }
    }
  }
}

PlanOptions small_plan(accounting::Sampling sampling, accounting::Adjacency adjacency,
                       bool filled) {
  PlanOptions plan{.dataset_size = 100, .batch_size = 50, .steps = 3};
  if (sampling == accounting::Sampling::kNone) plan.batch_size = 100;
  plan.sampling = sampling;
  plan.noise_multiplier = 1;
  plan.adjacency = adjacency;
  plan.fill_batches = filled;
  return plan;
}

// Whether a step on LibTorch's gradients is made; if not, nothing is charged.
bool steps(const PlanOptions& plan, std::int64_t max_physical_batch_size) {
  nn::Linear model(3, 2);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  auto engine =
      make_private(*model, optimizer, plan, {.max_physical_batch_size = max_physical_batch_size});
  const auto batch = engine.next_batch();
  try {
    engine.step(model(torch::ones({batch->size(), 3})).sum(1));
    return true;
  } catch (const InvalidArgument&) {
    EXPECT_EQ(engine.steps(), 0);
    return false;
  }
}

// A batch of another size is another matter: its kernels may round every sample otherwise. So is
// another place. Neither may depend on a record.
TEST(CompanionsTest, WherePlacesMayMoveIsRefused) {
  using accounting::Adjacency;
  using accounting::Sampling;
  for (const auto adjacency : {Adjacency::kAddRemove, Adjacency::kZeroOut}) {
    const auto drawn = small_plan(Sampling::kPoisson, adjacency, /*filled=*/false);
    EXPECT_FALSE(steps(drawn, 0));
    EXPECT_FALSE(steps(drawn, 64));
    EXPECT_TRUE(steps(drawn, 1));
    EXPECT_TRUE(steps(small_plan(Sampling::kPoisson, adjacency, /*filled=*/true), 0));
  }
  EXPECT_TRUE(steps(small_plan(Sampling::kFixedSize, Adjacency::kReplaceOne, true), 0));
  EXPECT_TRUE(steps(small_plan(Sampling::kNone, Adjacency::kZeroOut, true), 0));
  EXPECT_FALSE(steps(small_plan(Sampling::kNone, Adjacency::kAddRemove, true), 0));
  EXPECT_TRUE(steps(small_plan(Sampling::kNone, Adjacency::kAddRemove, true), 1));
}

// LibTorch's sine of eight numbers at once takes another way for all if one of them is large.
TEST(CompanionsTest, WhatLooksAtItsNeighboursInAVectorIsRefused) {
  for (const auto wave : {torch::sin, torch::cos, torch::tan}) {
    for (const std::int64_t physical : {0, 1}) {
      nn::Linear model(3, 2);
      torch::optim::SGD optimizer(model->parameters(), 0.1);
      const auto plan =
          small_plan(accounting::Sampling::kPoisson, accounting::Adjacency::kZeroOut, true);
      auto engine = make_private(*model, optimizer, plan, {.max_physical_batch_size = physical});
      const auto batch = engine.next_batch();
      const auto step = [&] { engine.step(wave(model(torch::ones({batch->size(), 3}))).sum(1)); };
      if (physical == 1) {
        EXPECT_NO_THROW(step());
      } else {
        EXPECT_THROW(step(), grad::NotSeparable);
      }
    }
  }
}

// Nobody is no record: neither one that was not drawn, nor its values.
TEST(CompanionsTest, NobodysRowsAreZeros) {
  nn::Linear model(3, 2);
  torch::optim::SGD optimizer(model->parameters(), 0.1);
  const auto plan =
      small_plan(accounting::Sampling::kPoisson, accounting::Adjacency::kZeroOut, true);
  auto engine = make_private(*model, optimizer, plan);
  const auto batch = engine.next_batch();
  const Tensor numbers = torch::arange(1, 101);
  const Tensor rows = batch->rows_of(numbers);
  const Tensor nobody = batch->is_drawn.logical_not();
  ASSERT_TRUE(nobody.any().item<bool>());
  EXPECT_EQ(rows.masked_select(nobody).abs().sum().item<std::int64_t>(), 0);
  const Tensor drawn = batch->indices.masked_select(batch->is_drawn);
  EXPECT_TRUE(rows.masked_select(batch->is_drawn).equal(drawn + 1));
  for (const auto& index : batch->indices.masked_select(nobody).unbind()) {
    EXPECT_TRUE(drawn.eq(index).any().item<bool>());
  }
}

using Function = std::function<Tensor(const Tensor&)>;

// Those with a rule for single samples (src/grad/layout_rules/elementwise.cpp).
const std::vector<std::pair<const char*, Function>>& functions() {
  static const std::vector<std::pair<const char*, Function>> all = {
      {"exp", [](const Tensor& x) { return torch::exp(x); }},
      {"expm1", [](const Tensor& x) { return torch::expm1(x); }},
      {"log", [](const Tensor& x) { return torch::log(x.abs() + 0.1); }},
      {"log1p", [](const Tensor& x) { return torch::log1p(x.abs()); }},
      {"sqrt", [](const Tensor& x) { return torch::sqrt(x.abs() + 0.1); }},
      {"rsqrt", [](const Tensor& x) { return torch::rsqrt(x.abs() + 0.1); }},
      {"reciprocal", [](const Tensor& x) { return torch::reciprocal(x); }},
      {"tanh", [](const Tensor& x) { return torch::tanh(x); }},
      {"sigmoid", [](const Tensor& x) { return torch::sigmoid(x); }},
      {"log_sigmoid", [](const Tensor& x) { return torch::log_sigmoid(x); }},
      {"gelu", [](const Tensor& x) { return torch::gelu(x); }},
      {"silu", [](const Tensor& x) { return torch::silu(x); }},
      {"mish", [](const Tensor& x) { return torch::mish(x); }},
      {"elu", [](const Tensor& x) { return torch::elu(x); }},
      {"selu", [](const Tensor& x) { return torch::selu(x); }},
      {"softplus", [](const Tensor& x) { return torch::softplus(x); }},
      {"erf", [](const Tensor& x) { return torch::erf(x); }},
      {"pow", [](const Tensor& x) { return torch::pow(x.abs() + 0.1, 2.5); }},
      {"relu", [](const Tensor& x) { return torch::relu(x); }},
      {"hardtanh", [](const Tensor& x) { return torch::hardtanh(x); }},
  };
  return all;
}

// How many numbers change, values or gradients, among 65,536 samples of one number each, if every
// sixteenth becomes `special`: of the others, with which they share registers.
std::int64_t changed_beside(const Function& function, double special) {
  torch::manual_seed(7);
  const Tensor inputs = 20 * torch::randn({65536});
  const Tensor is_special = torch::arange(inputs.numel()).remainder(16).eq(5);
  const auto numbers = [&](const Tensor& values) {
    const Tensor x = values.clone().requires_grad_();
    const Tensor y = function(x);
    const Tensor gradient = torch::autograd::grad({y.sum()}, {x})[0];
    return torch::stack({y.detach(), gradient});
  };
  const Tensor before = numbers(inputs);
  const Tensor after = numbers(inputs.masked_fill(is_special, special));
  const Tensor differ =
      before.ne(after).logical_and(before.isnan().logical_and(after.isnan()).logical_not());
  return differ.logical_and(is_special.logical_not()).sum().item<std::int64_t>();
}

TEST(Companions, ElementwiseFunctionsDoNotLookAtNeighbours) {
  for (const auto& [name, function] : functions()) {
    for (const double special : {0.0, 1e-42, 130.0, 1e6, 3e38, -3e38, kInfinity, std::nan("")}) {
      EXPECT_EQ(changed_beside(function, special), 0) << name << " beside " << special;
    }
  }
}

// As torch::sin does in some builds of LibTorch: one large number in a register decides how all of
// it is computed.
TEST(Companions, TheMeasurementSeesWhatLooks) {
  const auto by_register = [](const Tensor& x) {
    const Tensor registers = x.view({-1, 16});
    const Tensor any_large = registers.detach().abs().amax(1, /*keepdim=*/true).gt(1e5);
    return torch::where(any_large, registers * (1 + 0x1p-23), registers).flatten();
  };
  EXPECT_GT(changed_beside(by_register, 1e6), 0);
}

}  // namespace
}  // namespace sotto::companions
