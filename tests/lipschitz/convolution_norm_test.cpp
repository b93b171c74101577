#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lipschitz/spectral_norm.h"
#include "sotto/core/error.h"
#include "tests/lipschitz/exact_norms.h"

namespace sotto::lipschitz {
namespace {

using torch::Tensor;

struct Image {
  std::int64_t height, width;
};

double exact_convolution_norm(const Tensor& kernel, const ConvolutionShape& shape, Image image) {
  const Tensor wide = kernel.to(torch::kDouble);
  return exact_norm(matrix_of(
      [&](const Tensor& x) { return torch::conv2d(x, wide, {}, shape.stride, shape.padding); },
      {kernel.size(1), image.height, image.width}));
}

bool has_output(std::int64_t kernel, const ConvolutionShape& shape) {
  return std::min(shape.height, shape.width) + 2 * shape.padding >= kernel;
}

// Compares one kernel; gives bound / truth.
double gap_of(const Tensor& kernel, const ConvolutionShape& shape) {
  const double bound = convolution_norm_bound(kernel, shape);
  const double sharp = convolution_norm_bound(kernel, shape, Effort::kSharp);
  const double truth =
      exact_convolution_norm(kernel, shape, {shape.height, shape.width}) * (1 - 1e-12);
  EXPECT_GE(sharp, truth) << "sharp, kernel " << kernel.sizes();
  EXPECT_LE(sharp, bound * (1 + 1e-9)) << "sharp, kernel " << kernel.sizes();
  EXPECT_GE(bound, truth) << "kernel " << kernel.sizes() << " stride " << shape.stride
                          << " padding " << shape.padding << " image " << shape.height << "x"
                          << shape.width;
  return bound / truth;
}

// On every stride and padding.
double widest_gap(const Tensor& kernel, Image image) {
  double widest = 1;
  const auto size = kernel.size(2);
  for (std::int64_t stride = 1; stride <= 3; ++stride) {
    for (std::int64_t padding = 0; padding < size; ++padding) {
      const ConvolutionShape shape{stride, padding, image.height, image.width};
      if (has_output(size, shape)) widest = std::max(widest, gap_of(kernel, shape));
    }
  }
  return widest;
}

TEST(ConvolutionNormTest, IsNeverBelowTheTruth) {
  torch::manual_seed(1);
  double widest = 1;
  for (std::int64_t size = 1; size <= 5; ++size) {
    widest = std::max(widest, widest_gap(torch::randn({3, 2, size, size}), {6, 4}));
    widest = std::max(widest, widest_gap(torch::randn({2, 3, size, size}), {3, 7}));
    widest = std::max(widest, widest_gap(torch::randn({1, 1, size, size}), {9, 8}));
    widest = std::max(widest, widest_gap(torch::rand({2, 2, size, size}), {5, 5}));
  }
  RecordProperty("widest_gap", std::to_string(widest));
  EXPECT_LE(widest, 6);  // images smaller than the kernel, that see one row of it
}

TEST(ConvolutionNormTest, IsCloseOnImagesMuchLargerThanTheKernel) {
  torch::manual_seed(2);
  for (std::int64_t size = 1; size <= 5; ++size) {
    EXPECT_LE(widest_gap(torch::randn({2, 1, size, size}), {2 * size, 2 * size}), 1.3) << size;
    EXPECT_LE(widest_gap(torch::randn({1, 2, size, size}), {3 * size, 3 * size}), 1.15) << size;
  }
  EXPECT_LE(gap_of(torch::rand({2, 1, 3, 3}), {1, 1, 20, 16}), 1.05);
}

// Kernels that one would pick: a constant, a chequer-board, one tap in a corner, differences.
TEST(ConvolutionNormTest, HoldsForKernelsWithOneLoudFrequency) {
  const Tensor sign = torch::tensor({1.0, -1.0, 1.0});
  Tensor corner = torch::zeros({3, 3});
  corner[2][0] = 1;
  for (const Tensor& tap :
       {torch::ones({3, 3}), torch::ger(sign, sign), corner, torch::ger(torch::ones(3), sign)}) {
    widest_gap(tap.reshape({1, 1, 3, 3}), {7, 6});
    widest_gap(tap.reshape({1, 1, 3, 3}).expand({2, 3, 3, 3}), {5, 4});
  }
  EXPECT_LE(gap_of(corner.reshape({1, 1, 3, 3}), {1, 1, 6, 6}), 1.005);
}

TEST(ConvolutionNormTest, HoldsForKernelsThatAreNotSquare) {
  torch::manual_seed(3);
  for (std::int64_t stride = 1; stride <= 3; ++stride) {
    gap_of(torch::randn({2, 2, 1, 4}), {stride, 0, 5, 6});
    gap_of(torch::randn({2, 2, 3, 2}), {stride, 1, 6, 5});
  }
}

TEST(ConvolutionNormTest, HoldsForImagesSmallerThanStated) {
  torch::manual_seed(4);
  for (const std::int64_t stride : {1, 2, 3}) {
    const ConvolutionShape shape{stride, 1, 8, 7};
    const Tensor kernel = torch::randn({2, 2, 3, 3});
    const double bound = convolution_norm_bound(kernel, shape);
    for (const Image image : {Image{1, 1}, {2, 7}, {8, 3}, {5, 5}, {7, 7}, {8, 7}}) {
      EXPECT_GE(bound, exact_convolution_norm(kernel, shape, image))
          << image.height << "x" << image.width << " stride " << stride;
    }
  }
}

TEST(ConvolutionNormTest, ScaleDoesNotMatter) {
  torch::manual_seed(5);
  for (const double scale : {1e-30, 1e-20, 1e20, 1e37}) {
    EXPECT_LE(gap_of(torch::randn({2, 2, 3, 3}) * scale, {1, 1, 6, 6}), 2) << scale;
  }
  EXPECT_EQ(convolution_norm_bound(torch::zeros({2, 2, 3, 3}), {1, 1, 6, 6}), 0);
}

TEST(ConvolutionNormTest, CountsTheWindowsOfAPixel) {
  for (std::int64_t size = 1; size <= 5; ++size) {
    for (std::int64_t stride = 1; stride <= 4; ++stride) {
      const Tensor times = torch::conv_transpose2d(torch::ones({1, 1, 8, 8}),
                                                   torch::ones({1, 1, size, size}), {}, stride);
      EXPECT_EQ(window_overlap(size, stride), times.max().item<double>()) << size << " " << stride;
    }
  }
}

}  // namespace
}  // namespace sotto::lipschitz
