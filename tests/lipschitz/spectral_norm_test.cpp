#include "lipschitz/spectral_norm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sotto/core/error.h"
#include "tests/lipschitz/exact_norms.h"

namespace sotto::lipschitz {
namespace {

using torch::Tensor;

// The widest gap is that of a matrix whose singular values are all just too small to pass for
// orthogonal: √(1.05/0.95).
constexpr double kWidestGap = 1.052;

constexpr double kWidestSharpGap = 1.001;

void expect_close_above(const Tensor& matrix, const std::string& what) {
  const double quick = spectral_norm_bound(matrix);
  const double sharp = spectral_norm_bound(matrix, Effort::kSharp);
  const double truth = exact_norm(matrix) * (1 - 1e-12);  // which is rounded as well
  EXPECT_GE(quick, truth) << what;
  EXPECT_LE(quick, kWidestGap * truth) << what;
  EXPECT_GE(sharp, truth) << what;
  EXPECT_LE(sharp, kWidestSharpGap * truth) << what;
}

Tensor orthogonal(std::int64_t rows, std::int64_t columns) {
  const auto [fewer, more] = std::minmax(rows, columns);
  const Tensor tall = std::get<0>(torch::linalg_qr(torch::randn({more, fewer}, torch::kDouble)));
  return rows >= columns ? tall : tall.t();
}

TEST(SpectralNormTest, IsNeverBelowTheTruthAndHardlyAbove) {
  torch::manual_seed(1);
  for (const auto& [rows, columns] : std::vector<std::pair<std::int64_t, std::int64_t>>{
           {1, 1}, {1, 40}, {40, 1}, {2, 3}, {30, 30}, {8, 120}, {120, 8}, {150, 200}}) {
    const auto what = std::to_string(rows) + "x" + std::to_string(columns);
    expect_close_above(torch::randn({rows, columns}), what);
    expect_close_above(torch::rand({rows, columns}), what + " positive");
    expect_close_above(orthogonal(rows, columns), what + " orthogonal");
    expect_close_above(torch::ger(torch::randn(rows), torch::randn(columns)), what + " rank one");
  }
}

TEST(SpectralNormTest, HoldsWhereMatricesAreNearlyOrthogonal) {
  torch::manual_seed(2);
  for (const double scale : {0.9, 0.9747, 0.975, 0.99, 1.0, 1.01, 1.0247, 1.025, 1.1}) {
    for (const std::int64_t size : {1, 5, 60}) {
      expect_close_above(orthogonal(size, size + 3) * scale, std::to_string(scale));
    }
  }
  for (const double noise : {1e-7, 1e-4, 1e-2, 0.1}) {
    expect_close_above(orthogonal(40, 50) + noise * torch::randn({40, 50}, torch::kDouble),
                       std::to_string(noise));
  }
}

TEST(SpectralNormTest, OrthogonalMatricesHaveNormOneToRounding) {
  torch::manual_seed(3);
  EXPECT_NEAR(spectral_norm_bound(orthogonal(60, 80)), 1, 1e-8);
  EXPECT_NEAR(spectral_norm_bound(orthogonal(80, 60).to(torch::kFloat)), 1, 1e-5);
}

TEST(SpectralNormTest, ScaleDoesNotMatter) {
  torch::manual_seed(4);
  for (const double scale : {1e-37, 1e-20, 1e20, 1e37}) {
    expect_close_above(torch::randn({20, 30}) * scale, std::to_string(scale));
  }
  Tensor uneven = torch::randn({20, 30});
  uneven[0] *= 1e20;
  uneven[1] *= 1e-20;
  expect_close_above(uneven, "uneven");
}

TEST(SpectralNormTest, OfZeroIsZero) {
  EXPECT_EQ(spectral_norm_bound(torch::zeros({4, 6})), 0);
  EXPECT_EQ(spectral_norm_bound(torch::zeros({1, 1})), 0);
}

TEST(SpectralNormTest, WhatIsNotFiniteHasNoNorm) {
  for (const double bad : {std::nan(""), static_cast<double>(INFINITY)}) {
    Tensor matrix = torch::eye(3);
    matrix[1][2] = bad;
    EXPECT_FALSE(std::isfinite(spectral_norm_bound(matrix))) << bad;
  }
  EXPECT_THROW(spectral_norm_bound(torch::zeros({3})), InvalidArgument);
}

// ‖Wv‖ after a number of steps v <- WᵀWv / ‖WᵀWv‖.
double power_iteration(const Tensor& matrix, Tensor v, int steps) {
  for (int i = 0; i < steps; ++i) {
    v = matrix.t().mv(matrix.mv(v));
    v = v / v.norm();
  }
  return length_of(matrix.mv(v));
}

// A start without a part along the first singular vector never finds it.
TEST(SpectralNormTest, IsNotFooledWherePowerIterationIs) {
  Tensor diagonal = torch::diag(torch::tensor({1.0, 0.5, 3.0}));
  const Tensor blind = torch::tensor({1.0, 1.0, 0.0});
  EXPECT_NEAR(power_iteration(diagonal, blind, 50), 1, 1e-6);
  expect_close_above(diagonal, "blind start");
  // All ones, a usual start, against a first singular vector that sums to nothing.
  const Tensor swing = torch::tensor({1.0, -1.0, 1.0, -1.0}) / 2;
  const Tensor matrix = 5 * torch::ger(swing, swing) + torch::ones({4, 4}) / 4;
  EXPECT_NEAR(power_iteration(matrix, torch::ones({4}), 3), 1, 1e-5);
  expect_close_above(matrix, "ones");
}

// Two singular values apart by little: few steps of power iteration stay below.
TEST(SpectralNormTest, IsNotBelowWherePowerIterationConvergesSlowly) {
  torch::manual_seed(5);
  const Tensor left = orthogonal(30, 30);
  const Tensor values = torch::linspace(0.9, 1.2, 30, torch::kDouble);
  const Tensor matrix = left.matmul(torch::diag(values)).matmul(orthogonal(30, 30));
  EXPECT_LT(power_iteration(matrix, torch::randn(30, torch::kDouble), 10), 1.19);
  expect_close_above(matrix, "slow");
}

}  // namespace
}  // namespace sotto::lipschitz
