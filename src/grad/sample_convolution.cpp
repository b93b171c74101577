#include "grad/sample_convolution.h"

#include <algorithm>

#include "fused/matrix_kernels.h"

namespace sotto::grad {

SampleConvolution::SampleConvolution(const ConvolutionGeometry& geometry)
    : g_(geometry),
      height_(covered(0)),
      width_(covered(1)),
      stride_((g_.outputs + fused::kPanel - 1) / fused::kPanel * fused::kPanel),
      wide_(static_cast<std::size_t>(height_ * width_ * g_.channels), 0.0F),
      small_(static_cast<std::size_t>(g_.small[0] * g_.small[1] * stride_), 0.0F) {
  for (std::int64_t y = 0; y < g_.small[0]; ++y) {
    for (std::int64_t x = 0; x < g_.small[1]; ++x) {
      window_.push_back(
          static_cast<std::int32_t>((y * g_.stride[0] * width_ + x * g_.stride[1]) * g_.channels));
    }
  }
}

// Pixels of the wide map, with padding, that windows reach along an axis.
std::int64_t SampleConvolution::covered(int axis) const {
  return (g_.small[axis] - 1) * g_.stride[axis] + (g_.kernel[axis] - 1) * g_.dilation[axis] + 1;
}

void SampleConvolution::load_wide(const float* from) {
  const std::int64_t lines = std::min(g_.wide[0], height_ - g_.padding[0]);
  const std::int64_t pixels = std::min(g_.wide[1], width_ - g_.padding[1]);
  for (std::int64_t c = 0; c < g_.channels; ++c) {
    for (std::int64_t y = 0; y < lines; ++y) {
      const float* line = from + (c * g_.wide[0] + y) * g_.wide[1];
      float* to = wide_.data() + ((y + g_.padding[0]) * width_ + g_.padding[1]) * g_.channels + c;
      for (std::int64_t x = 0; x < pixels; ++x) to[x * g_.channels] = line[x];
    }
  }
}

void SampleConvolution::load_small(const float* from) {
  const std::int64_t pixels = g_.small[0] * g_.small[1];
  for (std::int64_t o = 0; o < g_.outputs; ++o) {
    float* to = small_.data() + o;
    for (std::int64_t p = 0; p < pixels; ++p) to[p * stride_] = *from++;
  }
}

// gradient (length, outputs): sum over pixels of window x small map.
void SampleConvolution::write_run(const float* from, std::int64_t length, bool add,
                                  float* gradient) const {
  const auto pixels = static_cast<std::int64_t>(window_.size());
  for (std::int64_t first = 0; first < g_.outputs; first += fused::kPanel) {
    fused::outer_sum({from, window_.data(), small_.data() + first, stride_, pixels}, length,
                     std::min(fused::kPanel, g_.outputs - first), gradient + first, g_.outputs,
                     add);
  }
}

void SampleConvolution::write_gradient(const float* wide, const float* small, bool add,
                                       float* gradient) {
  load_wide(wide);
  load_small(small);
  const bool whole_lines = g_.dilation[1] == 1;  // a line of the kernel is one run of floats
  const std::int64_t runs = whole_lines ? 1 : g_.kernel[1];
  const std::int64_t length = (whole_lines ? g_.kernel[1] : 1) * g_.channels;
  for (std::int64_t line = 0; line < g_.kernel[0]; ++line) {
    for (std::int64_t run = 0; run < runs; ++run, gradient += length * g_.outputs) {
      const std::int64_t start = line * g_.dilation[0] * width_ + run * g_.dilation[1];
      write_run(wide_.data() + start * g_.channels, length, add, gradient);
    }
  }
}

}  // namespace sotto::grad
