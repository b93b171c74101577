#include "gan/doubling.h"

#include <torch/nn/init.h>

#include <cmath>

namespace sotto::gan {
namespace {

using at::Tensor;

// (in, out, 4, 4) -> (out · parities, in, 2, 2). Rows of even output lines are 3 and 1 of the
// kernel, over the lines before and at the pixel; of odd ones 2 and 0, at the pixel and after it.
Tensor kernels_by_parity(const Tensor& weight) {
  const Tensor order = at::tensor({3, 1, 2, 0}, at::kLong);
  return weight.index_select(2, order)
      .index_select(3, order)
      .reshape({weight.size(0), weight.size(1), 2, 2, 2, 2})
      .permute({1, 2, 4, 0, 3, 5})
      .reshape({weight.size(1) * 4, weight.size(0), 2, 2});
}

// maps (n, out, 2, 2, h + 1, w + 1): a parity of 1 starts one pixel later.
Tensor interleaved(const Tensor& maps) {
  const auto height = maps.size(4) - 1;
  const auto width = maps.size(5) - 1;
  std::vector<Tensor> lines;
  for (std::int64_t down = 0; down < 2; ++down) {
    std::vector<Tensor> pixels;
    for (std::int64_t right = 0; right < 2; ++right) {
      pixels.push_back(
          maps.select(2, down).select(2, right).narrow(2, down, height).narrow(3, right, width));
    }
    lines.push_back(at::stack(pixels, 4));  // (n, out, h, w, 2)
  }
  return at::stack(lines, 3).reshape({maps.size(0), maps.size(1), 2 * height, 2 * width});
}

}  // namespace

DoublingImpl::DoublingImpl(std::int64_t in, std::int64_t out) : in_(in), out_(out) { reset(); }

void DoublingImpl::reset() {
  weight = register_parameter("weight", at::empty({in_, out_, 4, 4}));
  bias = register_parameter("bias", at::empty({out_}));
  torch::nn::init::kaiming_uniform_(weight, std::sqrt(5.0));  // as ConvTranspose2d does
  const double bound = 1 / std::sqrt(static_cast<double>(out_ * 16));
  torch::nn::init::uniform_(bias, -bound, bound);
}

Tensor DoublingImpl::forward(const Tensor& maps) {
  const Tensor parities =
      at::conv2d(maps, kernels_by_parity(weight), bias.repeat_interleave(4), 1, 1);
  return interleaved(
      parities.reshape({maps.size(0), out_, 2, 2, maps.size(2) + 1, maps.size(3) + 1}));
}

}  // namespace sotto::gan
