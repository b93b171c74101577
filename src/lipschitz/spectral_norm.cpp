#include "lipschitz/spectral_norm.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "sotto/core/error.h"

namespace sotto::lipschitz {
namespace {

using at::Tensor;

// More than what rounding in double precision can take from a norm of matrices of this size.
constexpr double kRounding = 1 + 1e-9;

int squarings(Effort effort) { return effort == Effort::kQuick ? 6 : 12; }

// At least the spectral norm of each symmetric matrix of a batch (B, n, n) -> (B): the Frobenius
// norm of A^(2^times), to the power of 2^-times. At most n^(2^-times / 2) times too large.
Tensor symmetric_norm_bound(Tensor matrices, int times) {
  const auto frobenius = [](const Tensor& batch) {
    return at::linalg_vector_norm(batch, 2, at::IntArrayRef{1, 2});
  };
  const auto scaled = [](const Tensor& batch, const Tensor& norms) {
    return batch / norms.clamp_min(1e-300).reshape({-1, 1, 1});
  };
  Tensor norms = frobenius(matrices);
  Tensor logarithms = norms.log();
  matrices = scaled(matrices, norms);
  for (int i = 0; i < times; ++i) {
    matrices = at::bmm(matrices, matrices);
    norms = frobenius(matrices);
    logarithms = 2 * logarithms + norms.log();
    matrices = scaled(matrices, norms);
  }
  return (logarithms / std::pow(2.0, times)).exp();
}

// What to divide by so that squares of squares neither overflow nor vanish; 1 for ordinary weights,
// NaN or ∞ if an entry is not finite.
double scale_of(const Tensor& values) {
  const auto largest = values.abs().max().item<double>();
  const bool ordinary = largest == 0 || (largest > 1e-15 && largest < 1e15);
  return ordinary ? 1 : largest;
}

// The product with its own transpose, on the smaller side.
Tensor gram(const Tensor& matrix) {
  return matrix.size(0) <= matrix.size(1) ? at::mm(matrix, matrix.t()) : at::mm(matrix.t(), matrix);
}

// kernel (out, in, k, k) -> (out, in·s·s, ⌈k/s⌉, ⌈k/s⌉): what it does to the image's phases.
Tensor phases(const Tensor& kernel, std::int64_t stride) {
  const auto taps = [&](std::int64_t size) { return (size + stride - 1) / stride; };
  const auto rows = taps(kernel.size(2));
  const auto columns = taps(kernel.size(3));
  const Tensor padded = at::constant_pad_nd(
      kernel, {0, columns * stride - kernel.size(3), 0, rows * stride - kernel.size(2)});
  return padded.reshape({kernel.size(0), kernel.size(1), rows, stride, columns, stride})
      .permute({0, 1, 3, 5, 2, 4})
      .reshape({kernel.size(0), kernel.size(1) * stride * stride, rows, columns});
}

// 2π·frequency·tap/size -> (frequencies, taps).
Tensor angles(std::int64_t frequencies, std::int64_t taps, std::int64_t size) {
  const auto options = at::TensorOptions().dtype(at::kDouble);
  return at::outer(at::arange(frequencies, options), at::arange(taps, options)) *
         (2 * std::numbers::pi / static_cast<double>(size));
}

// The kernel's matrix at each frequency of a periodic grid, a complex one A + iB as the real one
// [A -B; B A], which has the same norm: (frequencies, 2 out, 2 in). Real kernels have the same norm
// at ω and -ω: half the columns' frequencies will do.
Tensor at_frequencies(const Tensor& kernel, std::int64_t grid_rows, std::int64_t grid_columns) {
  const auto columns = grid_columns / 2 + 1;
  const auto taps = kernel.size(2) * kernel.size(3);
  const Tensor phase =
      (angles(grid_rows, kernel.size(2), grid_rows).reshape({grid_rows, 1, -1, 1}) +
       angles(columns, kernel.size(3), grid_columns).reshape({1, columns, 1, -1}))
          .reshape({-1, taps});
  const Tensor flat = kernel.reshape({-1, taps}).t();
  const auto matrices = [&](const Tensor& waves) {
    return at::mm(waves, flat).reshape({phase.size(0), kernel.size(0), kernel.size(1)});
  };
  const Tensor real = matrices(phase.cos());
  const Tensor imaginary = matrices(phase.sin());
  return at::cat({at::cat({real, -imaginary}, 2), at::cat({imaginary, real}, 2)}, 1);
}

}  // namespace

double spectral_norm_bound(const Tensor& matrix, Effort effort) {
  check_argument(matrix.dim() == 2, "a spectral norm is that of a matrix");
  c10::NoGradGuard no_gradients;
  constexpr double kOrthogonal = 0.01;
  constexpr double kNearlyOrthogonal = 0.05;
  const double scale = scale_of(matrix);
  if (!std::isfinite(scale)) return std::numeric_limits<double>::infinity();
  const Tensor product = gram(matrix.detach().to(at::kDouble) / scale);
  const Tensor excess = product - at::eye(product.size(0), product.options());
  // ‖WᵀW‖ <= 1 + ‖WᵀW - I‖: sharp where W is nearly orthogonal.
  auto deviation = excess.norm().item<double>();
  if (!(deviation < kOrthogonal)) {
    deviation = symmetric_norm_bound(excess.unsqueeze(0), 3).item<double>();
  }
  double square = 1 + deviation;
  if (effort == Effort::kSharp || !(deviation < kNearlyOrthogonal)) {
    const Tensor bound = symmetric_norm_bound(product.unsqueeze(0), squarings(effort));
    square = std::min(square, bound.item<double>());
  }
  return scale * std::sqrt(square) * kRounding;
}

double convolution_norm_bound(const Tensor& kernel, const ConvolutionShape& shape, Effort effort) {
  check_argument(kernel.dim() == 4, "a convolution's kernel has four axes");
  c10::NoGradGuard no_gradients;
  const double scale = scale_of(kernel);
  if (!std::isfinite(scale)) return std::numeric_limits<double>::infinity();
  const Tensor phased = phases(kernel.detach().to(at::kDouble) / scale, shape.stride);
  const auto grid = [&](std::int64_t size, std::int64_t taps) {
    return (size + 2 * shape.padding + shape.stride - 1) / shape.stride + taps - 1;
  };
  const Tensor matrices =
      at_frequencies(phased, grid(shape.height, phased.size(2)), grid(shape.width, phased.size(3)));
  const Tensor adjoint = matrices.transpose(1, 2);
  const Tensor products =
      phased.size(0) <= phased.size(1) ? at::bmm(matrices, adjoint) : at::bmm(adjoint, matrices);
  const Tensor squares = symmetric_norm_bound(products, squarings(effort));
  return scale * std::sqrt(squares.max().item<double>()) * kRounding;
}

void require_finite_norm(double norm, const std::string& layer) {
  if (std::isfinite(norm)) return;
  throw std::runtime_error(layer +
                           ": its weights are not finite: training has diverged; lower the "
                           "learning rate");
}

std::int64_t window_overlap(std::int64_t kernel, const std::int64_t stride) {
  const auto along = (kernel + stride - 1) / stride;
  return along * along;
}

namespace {

// On the side of the Gram matrix.
Tensor times(const Tensor& small, const Tensor& matrix) {
  return matrix.size(0) <= matrix.size(1) ? at::mm(small, matrix) : at::mm(matrix, small);
}

// Newton and Schulz: W (3 - P) / 2, P = WᵀW, which draws squared singular values below 3 towards 1;
// larger ones are made smaller before, by the rows' sums, which are at least the norm of P.
Tensor drawn_together(const Tensor& matrix, const Tensor& product, const Tensor& one) {
  constexpr double kConverges = 2.9;
  const auto row_sum = product.abs().sum(1).max().item<double>();
  const double shrink = row_sum > kConverges ? row_sum : 1;
  return times(1.5 * one - product / (2 * shrink), matrix / std::sqrt(shrink));
}

// W times the first six terms of (1 + E)^-1/2, E = WᵀW - 1. square: E².
Tensor orthogonal_nearby(const Tensor& matrix, const Tensor& excess, const Tensor& square,
                         const Tensor& one) {
  Tensor terms = 35.0 / 128 * one - 63.0 / 256 * excess;
  terms = at::addmm(3.0 / 8 * one - 5.0 / 16 * excess, square, terms);
  terms = at::addmm(one - excess / 2, square, terms);
  return times(terms, matrix);
}

}  // namespace

Tensor orthogonalised(const Tensor& matrix) {
  c10::NoGradGuard no_gradients;
  constexpr int kMostIterations = 15;
  constexpr double kClose = 1e-5;  // of squared singular values to 1, in the mean square
  Tensor result = matrix.detach() / scale_of(matrix);
  const Tensor one = at::eye(std::min(result.size(0), result.size(1)), result.options());
  const double close = kClose * std::sqrt(static_cast<double>(one.size(0)));
  for (int i = 0; i < kMostIterations; ++i) {
    const Tensor product = gram(result);
    const Tensor excess = product - one;
    if (excess.norm().item<double>() < close) break;
    const Tensor square = at::mm(excess, excess);
    const auto square_norm = square.norm().item<double>();
    if (!(square_norm < 0.25)) {
      result = drawn_together(result, product, one);
      continue;
    }
    result = orthogonal_nearby(result, excess, square, one);
    if (std::pow(square_norm, 3) < close) break;  // of |e| < 1/2 at most e⁶ is left
  }
  return result;
}

}  // namespace sotto::lipschitz
