// What one record contributes depends on that record alone, bit for bit, and sums are exact: the
// proof of docs/finite-precision.md, held against the kernels of every vector unit.
#include "sotto/grad/grad.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "sotto/models/models.h"
#include "tests/fused/oracle.h"
#include "tests/fused/vector_units.h"

namespace sotto::grad {
namespace {

namespace nn = torch::nn;
using fused::on_every_vector_unit;
using torch::Tensor;

constexpr double kBound = 1;

struct Result {
  std::vector<Tensor> sums;
  Tensor squared_norms;
};

// Every sample's gradient scaled down to norm 1, with the margin of the engine's rule.
void clip_to_one(std::int64_t parameters, const double* squares, std::int64_t stride,
                 std::int64_t samples, double* factors) {
  for (std::int64_t i = 0; i < samples; ++i) {
    double total = 0;
    for (std::int64_t p = 0; p < parameters; ++p) total += squares[p * stride + i];
    for (std::int64_t p = 0; p < parameters; ++p) {
      factors[p * stride + i] = std::min(1.0, kBound / (std::sqrt(total) * (1 + 0x1p-8)));
    }
  }
}

Result clipped(FusedModel& model, const FusedBatch& batch,
               const std::vector<std::int64_t>& chains) {
  std::vector<Tensor> tensors;
  for (const auto& parameter : model.parameters()) tensors.push_back(parameter.tensor);
  const auto parameters = static_cast<std::int64_t>(tensors.size());
  ExactSums sums(tensors, std::vector<double>(tensors.size(), kBound));
  const auto got = model.clipped_gradients(
      batch,
      [&](const double* squares, std::int64_t stride, std::int64_t samples, double* factors) {
        clip_to_one(parameters, squares, stride, samples, factors);
      },
      chains, sums);
  Result result{{}, got.squared_norms};
  for (std::size_t p = 0; p < sums.size(); ++p) result.sums.push_back(sums.values(p));
  return result;
}

struct Network {
  std::string name;
  nn::Sequential model;
  std::vector<std::int64_t> shape;
};

std::vector<Network> networks() {
  const auto norm = [] {
    return nn::Sequential(nn::Conv2d(nn::Conv2dOptions(3, 8, 3).padding(1)), nn::GroupNorm(2, 8),
                          nn::GELU(), nn::AvgPool2d(2),
                          nn::Conv2d(nn::Conv2dOptions(8, 6, 3).groups(2)), nn::Tanh(),
                          nn::Flatten(), nn::Linear(24, 10));
  };
  return {{"cnn", models::make_model("cnn", {{1, 28, 28}, 10}), {1, 28, 28}},
          {"mlp", nn::Sequential(nn::Linear(70, 33), nn::ReLU(), nn::Linear(33, 10)), {70}},
          {"normalised", norm(), {3, 8, 8}}};
}

std::unique_ptr<FusedModel> compile(const Network& network, int threads) {
  auto [model, reason] =
      FusedModel::compile(network.model, {.sample_shape = network.shape, .threads = threads});
  EXPECT_NE(model, nullptr) << reason;
  return std::move(model);
}

FusedBatch random_batch(const Network& network, std::int64_t samples) {
  auto sizes = network.shape;
  sizes.insert(sizes.begin(), samples);
  return {torch::randn(sizes), torch::randint(10, {samples})};
}

FusedBatch select(const FusedBatch& batch, const Tensor& samples) {
  return {batch.inputs.index_select(0, samples), batch.targets.index_select(0, samples)};
}

void expect_equal(const Result& got, const Result& expected, const std::string& what) {
  for (std::size_t p = 0; p < got.sums.size(); ++p) {
    EXPECT_TRUE(got.sums[p].equal(expected.sums[p])) << what << ", parameter " << p;
  }
}

TEST(ExactSumsTest, ThreadsPartsAndPlacesChangeNoBit) {
  for (const auto& network : networks()) {
    torch::manual_seed(7);
    const auto batch = random_batch(network, 200);
    on_every_vector_unit([&](const std::string& unit) {
      const auto one = compile(network, 1);
      const auto two = compile(network, 2);
      const auto chains = even_chains(200);
      const Result alone = clipped(*one, batch, chains);
      expect_equal(clipped(*two, batch, chains), alone, network.name + " on two threads, " + unit);
      // The same chains, in another order and in several calls.
      const Tensor turned = torch::cat({torch::arange(128, 200), torch::arange(0, 128)});
      expect_equal(clipped(*two, select(batch, turned), {64, 72, 136, 200}), alone,
                   network.name + " turned round, " + unit);
    });
  }
}

// A record's own gradient has the same bits alone and among others.
TEST(ExactSumsTest, ASampleIsTheSameWhoeverElseIsThere) {
  for (const auto& network : networks()) {
    torch::manual_seed(8);
    const auto batch = random_batch(network, 70);
    on_every_vector_unit([&](const std::string& unit) {
      const auto model = compile(network, 2);
      const Result together = clipped(*model, batch, even_chains(70));
      Result sum;
      for (std::int64_t i = 0; i < 70; ++i) {
        const Result alone = clipped(*model, select(batch, torch::tensor({i})), {1});
        EXPECT_TRUE(alone.squared_norms.select(1, 0).equal(together.squared_norms.select(1, i)))
            << network.name << ", sample " << i << ", " << unit;
        for (std::size_t p = 0; p < alone.sums.size(); ++p) {
          if (i == 0) sum.sums.push_back(torch::zeros_like(alone.sums[p]));
          sum.sums[p] += alone.sums[p];
        }
      }
      for (std::size_t p = 0; p < sum.sums.size(); ++p) {
        // Products of Linear layers, matrices, are added up in float within a chain.
        if (sum.sums[p].dim() == 2) continue;
        EXPECT_TRUE(sum.sums[p].equal(together.sums[p])) << network.name << ' ' << p << ' ' << unit;
      }
    });
  }
}

double moved(const Result& with, const Result& without, double unit) {
  double square = 0;
  for (std::size_t p = 0; p < with.sums.size(); ++p) {
    square += (with.sums[p] - without.sums[p]).square().sum().item<double>();
  }
  return std::sqrt(square) * unit;
}

// A bias' sum added up in float, one sample after another: `pushing` add 1/2 each, `vanishing`
// take a little away.
float summed_in_float(std::int64_t pushing, std::int64_t vanishing, float little) {
  float sum = 0;
  for (std::int64_t i = 0; i < pushing; ++i) sum += 0.5F;
  for (std::int64_t i = 0; i < vanishing; ++i) sum -= little;
  return sum;
}

// The construction that moved a sum in float by 78.8 C: records that push a bias' sum just past a
// power of two, then others that subtract less than half of its last place each, but more than half
// of the one below.
TEST(ExactSumsTest, OneRecordMovesASumByNoMoreThanItsBound) {
  constexpr std::int64_t kColumns = 8;
  constexpr std::int64_t kPushing = (1 << 15) + 1;
  constexpr std::int64_t kVanishing = 40'000;
  constexpr float kInput = 356;  // so large that clipping leaves the bias `little`
  const auto little = static_cast<float>(kBound / std::sqrt(2 * (1 + kColumns * kInput * kInput)));
  EXPECT_GT(summed_in_float(kPushing, kVanishing, little) -
                summed_in_float(kPushing - 1, kVanishing, little),
            30 * kBound);
  nn::Sequential model(nn::Linear(kColumns, 2));
  torch::NoGradGuard no_gradients;
  for (auto& parameter : model->parameters()) parameter.zero_();
  FusedBatch batch{torch::zeros({kPushing + kVanishing, kColumns}),
                   torch::zeros({kPushing + kVanishing}, torch::kLong)};
  batch.targets.narrow(0, kPushing, kVanishing).fill_(1);
  batch.inputs.narrow(0, kPushing, kVanishing).fill_(kInput);
  const Network network{"softmax", model, {kColumns}};
  on_every_vector_unit([&](const std::string& unit) {
    const auto fused = compile(network, 2);
    const auto with = clipped(*fused, batch, even_chains(kPushing + kVanishing));
    // Without the last of those that push. Its chain, and no other, is one shorter.
    const Tensor others =
        torch::cat({torch::arange(kPushing - 1), torch::arange(kPushing, kPushing + kVanishing)});
    auto chains = even_chains(kPushing + kVanishing);
    for (auto& end : chains) end -= end >= kPushing ? 1 : 0;
    const auto without = clipped(*fused, select(batch, others), chains);
    const double unit_size = ExactSums({torch::zeros({1})}, {kBound}).unit(0);
    EXPECT_LE(moved(with, without, unit_size), kBound) << unit;
    EXPECT_GT(moved(with, without, unit_size), 0.5) << unit;
  });
}

// Any record of any random chain, hostile sizes included.
TEST(ExactSumsTest, RandomRecordsMoveSumsByNoMoreThanTheirBound) {
  for (const auto& network : networks()) {
    torch::manual_seed(9);
    auto batch = random_batch(network, 64);
    std::vector<std::int64_t> factors(static_cast<std::size_t>(batch.inputs.dim()), 1);
    factors[0] = 64;
    batch.inputs *= torch::randn({64}).mul(6).exp().reshape(factors);  // from tiny to huge
    const auto model = compile(network, 2);
    const auto with = clipped(*model, batch, {64});
    const double unit = ExactSums({torch::zeros({1})}, {kBound}).unit(0);
    for (std::int64_t out = 0; out < 64; out += 5) {
      const Tensor others = torch::cat({torch::arange(out), torch::arange(out + 1, 64)});
      const auto without = clipped(*model, select(batch, others), {63});
      EXPECT_LE(moved(with, without, unit), kBound) << network.name << " without " << out;
    }
  }
}

TEST(ExactSumsTest, RefusesChainsThatAreTooLongOrDoNotFit) {
  const auto network = networks()[1];
  const auto model = compile(network, 1);
  const auto batch = random_batch(network, 70);
  for (const auto& chains : std::vector<std::vector<std::int64_t>>{
           {}, {70}, {65, 70}, {64}, {64, 71}, {64, 64, 70}, {0, 64, 70}}) {
    EXPECT_THROW(clipped(*model, batch, chains), InvalidArgument);
  }
  EXPECT_THROW(ExactSums({torch::zeros({1})}, {0}), InvalidArgument);
}

}  // namespace
}  // namespace sotto::grad
