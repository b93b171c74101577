// Every layer's bounds against the worst inputs and gradients that can be found.
#include <gtest/gtest.h>

#include <cmath>

#include "sotto/lipschitz/fixed_layers.h"
#include "sotto/lipschitz/linear_layers.h"
#include "sotto/lipschitz/residual.h"
#include "tests/lipschitz/attacked_layer.h"

namespace sotto::lipschitz {
namespace {

namespace nn = torch::nn;

constexpr double kAttackRounding = 1e-5;

const std::vector<std::int64_t> kVector{12};
const std::vector<std::int64_t> kPicture{4, 6, 6};

struct Sharpness {
  double output = 0.98;
  double displacement = 0.98;
  double cotangent = 0.98;
  double parameter = 0.98;
};

// At norms of 1e-3, 1 and 100: nothing above its bound, and not much below it either, unless
// `sharp` says so.
template <typename Layer>
void expect_bounds(Layer layer, const std::vector<std::int64_t>& shape, Sharpness sharp = {}) {
  torch::manual_seed(11);
  AttackedLayer attacked(nn::Sequential(layer), shape);
  attacked.shake();
  const auto kind = attacked.layer().kind();
  for (const double norm : {1e-3, 1.0, 100.0}) {
    const auto share = attained(attacked, norm);
    EXPECT_LE(share.most, 1 + kAttackRounding) << kind << " at " << norm;
    EXPECT_GE(share.output, sharp.output) << kind << " at " << norm;
    EXPECT_GE(share.displacement, sharp.displacement) << kind << " at " << norm;
    EXPECT_GE(share.cotangent, sharp.cotangent) << kind << " at " << norm;
    EXPECT_GE(share.parameter, sharp.parameter) << kind << " at " << norm;
  }
}

TEST(LayerMapsTest, Linear) {
  for (const auto constraint : {Constraint::kOrthogonal, Constraint::kSpectral}) {
    for (const std::int64_t outputs : {1, 5, 20}) {
      expect_bounds(Linear(LinearOptions{12, outputs, constraint}), kVector);
    }
  }
  // Its largest singular value is below its Frobenius norm.
  expect_bounds(Linear(LinearOptions{12, 5, Constraint::kFrobenius}), kVector, {0.4, 0.4, 0.4});
  expect_bounds(Linear(LinearOptions{12, 1, Constraint::kFrobenius}), kVector);
}

TEST(LayerMapsTest, LinearAppliedToEveryRow) { expect_bounds(Linear(LinearOptions{6, 3}), {4, 6}); }

TEST(LayerMapsTest, Conv2d) {
  for (const auto constraint : {Constraint::kOrthogonal, Constraint::kSpectral}) {
    for (const std::int64_t kernel : {1, 3, 4}) {
      for (const std::int64_t stride : {1, 2}) {
        for (const std::int64_t padding : {std::int64_t{0}, kernel / 2}) {
          const Conv2dOptions options{4, 3, kernel, stride, padding, 6, 6, constraint};
          expect_bounds(Conv2d(options), kPicture, {0.6, 0.6, 0.6, 0.35});
        }
      }
    }
  }
}

// Windows without overlap: nothing is lost.
TEST(LayerMapsTest, Conv2dWithoutOverlapIsSharp) {
  expect_bounds(Conv2d(Conv2dOptions{4, 3, 1, 1, 0, 6, 6}), kPicture);
  expect_bounds(Conv2d(Conv2dOptions{4, 3, 2, 2, 0, 6, 6}), kPicture);
  expect_bounds(Conv2d(Conv2dOptions{4, 3, 3, 3, 0, 6, 6}), kPicture);
}

TEST(LayerMapsTest, Conv2dOnImagesSmallerThanStated) {
  expect_bounds(Conv2d(Conv2dOptions{4, 3, 3, 1, 1, 9, 8}), kPicture, {0.6, 0.6, 0.6, 0.35});
}

TEST(LayerMapsTest, Bias) {
  expect_bounds(Bias(12, 0.5), kVector);
  expect_bounds(Bias(4, 0.5), kPicture);
}

TEST(LayerMapsTest, GroupSort) {
  for (const std::int64_t group : {2, 4}) {
    expect_bounds(GroupSort(group), kVector);
    expect_bounds(GroupSort(group), kPicture);
  }
}

TEST(LayerMapsTest, StockLayers) {
  expect_bounds(nn::ReLU(), kVector);
  expect_bounds(nn::Identity(), kVector);
  expect_bounds(nn::Flatten(), kPicture);
  expect_bounds(nn::MaxPool2d(2), kPicture, {0.5, 0.5, 0.98});
  expect_bounds(nn::MaxPool2d(nn::MaxPool2dOptions({2, 3}).stride({2, 4}).padding({1, 1})),
                kPicture, {0.5, 0.5, 0.98});
  expect_bounds(nn::MaxPool2d(nn::MaxPool2dOptions(4).ceil_mode(true)), kPicture, {0.3, 0.3, 0.98});
}

TEST(LayerMapsTest, Pooling) {
  for (const std::int64_t size : {1, 2, 4}) {  // 4 leaves pixels out
    expect_bounds(L2NormPool2d(size), kPicture, {0.98, 0.6, 0.98});
    expect_bounds(ScaledAvgPool2d(size), kPicture);
  }
  expect_bounds(GlobalL2NormPool2d(), kPicture, {0.98, 0.6, 0.98});
}

TEST(LayerMapsTest, Shaping) {
  expect_bounds(LayerCentering(), kVector);
  expect_bounds(LayerCentering(), kPicture);
  expect_bounds(Reshape(std::vector<std::int64_t>{3, 4}), kVector);
  expect_bounds(Permute(std::vector<std::int64_t>{3, 1, 2}), kPicture);
}

// Beyond its bound an input hardly moves: samples are found on the sphere alone.
TEST(LayerMapsTest, InputBound) {
  expect_bounds(InputBound(1000.0), kPicture);
  expect_bounds(InputBound(0.7), kPicture, {0.98, 0, 0});
  expect_bounds(InputBound(1e-4), kPicture, {0.98, 0, 0});
}

TEST(LayerMapsTest, ClipGradient) {
  expect_bounds(ClipGradient(0.7), kVector);
  expect_bounds(ClipGradient(1e-4), kPicture);
}

nn::Sequential small_block() {
  return nn::Sequential(Conv2d(Conv2dOptions{4, 4, 3, 1, 1, 6, 6}), GroupSort(), Bias(4, 0.2),
                        Conv2d(Conv2dOptions{4, 4, 1, 1, 0, 6, 6, Constraint::kSpectral}));
}

TEST(LayerMapsTest, ResidualBlocks) {
  for (const auto addition : {Addition::kSum, Addition::kAverage}) {
    expect_bounds(residual_block(small_block(), addition), kPicture, {0.5, 0.5, 0.5, 0.3});
    expect_bounds(residual_block(nn::Sequential(Linear(LinearOptions{12, 12})), addition), kVector,
                  {0.9, 0.9, 0.9, 0.98});
    const nn::Sequential nested(residual_block(small_block(), addition), GroupSort(4));
    expect_bounds(residual_block(nested, Addition::kSum), kPicture, {0.5, 0.5, 0.5, 0.2});
  }
}

}  // namespace
}  // namespace sotto::lipschitz
