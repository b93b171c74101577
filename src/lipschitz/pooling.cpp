#include "sotto/lipschitz/fixed_layers.h"

#include <ATen/ATen.h>

#include "sotto/core/error.h"

namespace sotto::lipschitz {
namespace {

constexpr double kLeastSquare = 1e-30;
constexpr double kLeast = 1e-15;

// √square, a little below; its gradient is 0 at 0 (it has none).
at::Tensor root(const at::Tensor& squares) {
  return squares.clamp_min(kLeastSquare).sqrt() - kLeast;
}

// Sums over windows of size x size pixels: (N, C, H, W) -> (N, C, H/size, W/size).
at::Tensor window_sums(const at::Tensor& x, std::int64_t size) {
  check_argument(x.dim() == 4 && x.size(2) >= size && x.size(3) >= size, "pooling of ", size, "x",
                 size, " pixels needs images of at least that size");
  return at::avg_pool2d(x, {size, size}, {size, size}) * static_cast<double>(size * size);
}

void check_size(std::int64_t size) {
  check_argument(size >= 1, "a pool's size must be at least 1, got ", size);
}

std::string square(std::int64_t size) { return std::to_string(size) + "x" + std::to_string(size); }

}  // namespace

L2NormPool2dImpl::L2NormPool2dImpl(std::int64_t the_size) : size(the_size) { check_size(size); }

// The norm's gradient is x/‖x‖, of norm 1.
at::Tensor L2NormPool2dImpl::forward(const at::Tensor& x) { return root(window_sums(x * x, size)); }

std::string L2NormPool2dImpl::kind() const { return "L2-norm pool " + square(size); }

at::Tensor GlobalL2NormPool2dImpl::forward(const at::Tensor& x) {
  check_argument(x.dim() == 4, "global pooling takes images");
  return root((x * x).sum({2, 3}));
}

ScaledAvgPool2dImpl::ScaledAvgPool2dImpl(std::int64_t the_size) : size(the_size) {
  check_size(size);
}

// By Cauchy and Schwarz, (Σx)² <= size²·Σx².
at::Tensor ScaledAvgPool2dImpl::forward(const at::Tensor& x) {
  return window_sums(x, size) / static_cast<double>(size);
}

std::string ScaledAvgPool2dImpl::kind() const { return "scaled average pool " + square(size); }

}  // namespace sotto::lipschitz
