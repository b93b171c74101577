// The program itself, without LibTorch: also built for the thread sanitizer.
#include "fused/program.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/fused/vector_units.h"

namespace sotto::fused {
namespace {

constexpr int kParameters = 6;

std::vector<float> numbers(std::int64_t count, int seed) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < count; ++i) {
    values.push_back(static_cast<float>(std::sin(static_cast<double>(i * (seed + 3)) + seed)));
  }
  return values;
}

// Convolution, GroupNorm, pooling and a linear layer: all kinds of sums over samples.
Network small_network() {
  Network network({6, 7, 3});
  ConvolutionOptions convolution;
  convolution.outputs = 5;
  convolution.kernel[0] = convolution.kernel[1] = 3;
  convolution.padding[0] = convolution.padding[1] = 1;
  network.add_convolution(convolution, {0}, {1});
  NormalisationOptions norm;
  norm.size = {network.shape().pixels(), 5};
  network.add_normalisation(norm, {2}, {3});
  network.add_activation({ActivationKind::kTanh});
  network.add_max_pooling(PoolingWindows::adaptive(network.shape(), 3, 3));
  network.add_flatten();
  network.add_linear(4, {4}, {5});
  return network;
}

struct Sums {
  std::vector<std::vector<double>> values;
  std::vector<float> losses;
  std::vector<double> norms;
};

struct Model {
  std::vector<std::vector<float>> parameters = {numbers(135, 1), numbers(5, 2),   numbers(5, 3),
                                                numbers(5, 4),   numbers(180, 5), numbers(4, 6)};
  ParameterValues values() const {
    ParameterValues pointers;
    for (const auto& parameter : parameters) pointers.push_back(parameter.data());
    return pointers;
  }
};

Sums run(std::int64_t samples, int threads) {
  const Model model;
  Program program(small_network(), kParameters, threads);
  const auto inputs = numbers(samples * 126, 7);
  std::vector<std::int64_t> labels;
  for (std::int64_t i = 0; i < samples; ++i) labels.push_back(i % 4);
  Sums sums;
  sums.losses.resize(static_cast<std::size_t>(samples));
  sums.norms.resize(static_cast<std::size_t>(kParameters * samples));
  GradientRequest request;
  request.truth.labels = labels.data();
  request.losses = sums.losses.data();
  request.squared_norms = sums.norms.data();
  request.clip = [](const double* squares, std::int64_t stride, std::int64_t count,
                    double* factors) {
    for (int p = 0; p < kParameters; ++p) {
      for (std::int64_t i = 0; i < count; ++i) {
        factors[p * stride + i] = 1 / (1 + squares[p * stride + i]);
      }
    }
  };
  for (const auto& parameter : model.parameters) sums.values.emplace_back(parameter.size());
  for (auto& sum : sums.values) request.exact_sums.push_back(sum.data());
  request.per_unit.assign(sums.values.size(), 0x1p15);
  for (int step = 0; step < 3; ++step) {  // the memory of one step serves the next
    program.gradients(model.values(), {inputs.data(), nullptr, samples}, request);
  }
  return sums;
}

TEST(ProgramTest, ThreadsChangeNothing) {
  for (const std::int64_t samples : {1, 2, 7, 200}) {
    const Sums alone = run(samples, 1);
    for (const int threads : {2, 3, 8}) {
      const Sums together = run(samples, threads);
      EXPECT_EQ(together.losses, alone.losses);
      EXPECT_EQ(together.norms, alone.norms);
      EXPECT_EQ(together.values, alone.values);
    }
  }
}

TEST(ProgramTest, EveryVectorUnitGivesTheSame) {
  const Sums expected = run(9, 1);
  const int units = on_every_vector_unit([&](const std::string& unit) {
    const Sums got = run(9, 1);
    for (std::size_t p = 0; p < got.values.size(); ++p) {
      for (std::size_t i = 0; i < got.values[p].size(); ++i) {
        EXPECT_NEAR(got.values[p][i], expected.values[p][i], 1e-4 * 0x1p15) << unit;
      }
    }
  });
  EXPECT_GT(units, 1);  // one vector unit at least, and none
}

TEST(ProgramTest, NoSampleAtAllGivesZeros) {
  const Sums sums = run(0, 2);
  for (const auto& sum : sums.values) {
    for (const double value : sum) EXPECT_EQ(value, 0);
  }
}

}  // namespace
}  // namespace sotto::fused
