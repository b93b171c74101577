#include <gtest/gtest.h>

#include <cmath>

#include "lipschitz/spectral_norm.h"
#include "tests/lipschitz/exact_norms.h"

namespace sotto::lipschitz {
namespace {

using torch::Tensor;

Tensor singular_values(const Tensor& matrix) {
  return torch::linalg_svdvals(matrix.to(torch::kDouble));
}

void expect_near_orthogonal(const Tensor& matrix, double tolerance) {
  const Tensor values = singular_values(orthogonalised(matrix));
  EXPECT_LE(values.max().item<double>(), 1 + 0.1 * tolerance) << matrix.sizes();
  EXPECT_GE(values.min().item<double>(), 1 - tolerance) << matrix.sizes();
}

TEST(OrthogonalisedTest, SingularValuesBecomeOne) {
  torch::manual_seed(1);
  for (const double scale : {0.02, 1.0, 1e3, 1e15}) {
    expect_near_orthogonal(torch::randn({20, 60}) * scale, 0.05);
    expect_near_orthogonal(torch::randn({60, 20}) * scale, 0.05);
    expect_near_orthogonal(torch::randn({1, 30}) * scale, 0.05);
    expect_near_orthogonal(torch::randn({1, 1}) * scale + scale, 0.05);
  }
}

// The same singular vectors: W = USVᵀ becomes nearly UVᵀ.
TEST(OrthogonalisedTest, IsTheNearestOne) {
  torch::manual_seed(2);
  const Tensor matrix = torch::randn({10, 30});
  const auto [u, s, v] = torch::linalg_svd(matrix.to(torch::kDouble), /*full_matrices=*/false);
  EXPECT_LT(length_of(orthogonalised(matrix).to(torch::kDouble) - u.matmul(v)), 1e-3);
}

TEST(OrthogonalisedTest, LeavesOrthogonalMatricesAlone) {
  torch::manual_seed(3);
  Tensor matrix = torch::empty({12, 20});
  torch::nn::init::orthogonal_(matrix);
  EXPECT_TRUE(torch::equal(orthogonalised(matrix), matrix));
}

TEST(OrthogonalisedTest, MissingRankStaysMissing) {
  torch::manual_seed(4);
  EXPECT_EQ(length_of(orthogonalised(torch::zeros({5, 7}))), 0);
  const Tensor thin = torch::randn({15, 3}).matmul(torch::randn({3, 20}));
  const Tensor values = singular_values(orthogonalised(thin));
  EXPECT_TRUE(values.isfinite().all().item<bool>());
  EXPECT_NEAR(values[2].item<double>(), 1, 0.1);
  EXPECT_LT(values[3].item<double>(), 0.1);
}

TEST(OrthogonalisedTest, NeverLeavesTheUnitBall) {
  torch::manual_seed(5);
  for (int trial = 0; trial < 30; ++trial) {
    const Tensor stretched = torch::randn({10, 12}) * torch::exp(3 * torch::randn({10, 1}));
    EXPECT_LE(exact_norm(orthogonalised(stretched)), 1.01);
  }
}

// Whatever floats a matrix holds: a step may have thrown it far.
TEST(OrthogonalisedTest, StaysFinite) {
  torch::manual_seed(6);
  for (const double scale : {1e-40, 1e-20, 1e18, 1e20, 1e37}) {
    const Tensor result = orthogonalised(torch::randn({6, 9}) * scale);
    EXPECT_TRUE(result.isfinite().all().item<bool>()) << scale;
  }
}

}  // namespace
}  // namespace sotto::lipschitz
