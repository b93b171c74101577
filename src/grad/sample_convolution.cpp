#include "grad/sample_convolution.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <vector>

#include "fused/matrix_kernels.h"

namespace sotto::grad {
namespace {

// One thread's copies of a sample, pixel by pixel with all channels together, as the kernel wants
// them: a line of a window then lies together in memory.
class WindowSum {
 public:
  explicit WindowSum(const ConvolutionGeometry& geometry)
      : g_(geometry),
        height_(covered(0)),
        width_(covered(1)),
        stride_((g_.outputs + fused::kPanel - 1) / fused::kPanel * fused::kPanel),
        wide_(static_cast<std::size_t>(height_ * width_ * g_.channels), 0.0F),
        small_(static_cast<std::size_t>(g_.small[0] * g_.small[1] * stride_), 0.0F) {
    for (std::int64_t y = 0; y < g_.small[0]; ++y) {
      for (std::int64_t x = 0; x < g_.small[1]; ++x) {
        window_.push_back(static_cast<std::int32_t>((y * g_.stride[0] * width_ + x * g_.stride[1]) *
                                                    g_.channels));
      }
    }
  }

  // gradient: (kernel height, kernel width, channels, outputs)
  void add_up(const float* wide, const float* small, float* gradient) {
    load_wide(wide);
    load_small(small);
    const bool whole_lines = g_.dilation[1] == 1;  // a line of the kernel is one run of floats
    const std::int64_t runs = whole_lines ? 1 : g_.kernel[1];
    const std::int64_t length = (whole_lines ? g_.kernel[1] : 1) * g_.channels;
    for (std::int64_t line = 0; line < g_.kernel[0]; ++line) {
      for (std::int64_t run = 0; run < runs; ++run, gradient += length * g_.outputs) {
        const float* from =
            wide_.data() + (line * g_.dilation[0] * width_ + run * g_.dilation[1]) * g_.channels;
        add_run(from, length, gradient);
      }
    }
  }

 private:
  // Pixels of the wide map, with padding, that windows reach along an axis.
  std::int64_t covered(int axis) const {
    return (g_.small[axis] - 1) * g_.stride[axis] + (g_.kernel[axis] - 1) * g_.dilation[axis] + 1;
  }

  void load_wide(const float* from) {
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

  void load_small(const float* from) {
    const std::int64_t pixels = g_.small[0] * g_.small[1];
    for (std::int64_t o = 0; o < g_.outputs; ++o) {
      for (std::int64_t p = 0; p < pixels; ++p) small_[p * stride_ + o] = *from++;
    }
  }

  // gradient (length, outputs) = sum over pixels of window x small map.
  void add_run(const float* from, std::int64_t length, float* gradient) const {
    for (std::int64_t first = 0; first < g_.outputs; first += fused::kPanel) {
      fused::outer_sum({from, window_.data(), small_.data() + first, stride_,
                        static_cast<std::int64_t>(window_.size())},
                       length, std::min(fused::kPanel, g_.outputs - first), gradient + first,
                       g_.outputs, false);
    }
  }

  ConvolutionGeometry g_;
  std::int64_t height_;
  std::int64_t width_;
  std::int64_t stride_;               // between pixels of small_: outputs in whole panels
  std::vector<float> wide_;           // (height, width, channels), padded
  std::vector<float> small_;          // (pixels, stride)
  std::vector<std::int32_t> window_;  // where each pixel's window starts in wide_
};

}  // namespace

void sample_weight_gradients(const ConvolutionGeometry& geometry, std::int64_t samples,
                             const float* wide, const float* small, float* gradients) {
  const auto& g = geometry;
  const std::int64_t wide_size = g.channels * g.wide[0] * g.wide[1];
  const std::int64_t small_size = g.outputs * g.small[0] * g.small[1];
  const std::int64_t size = g.kernel[0] * g.kernel[1] * g.channels * g.outputs;
  at::parallel_for(0, samples, 1, [&](std::int64_t begin, std::int64_t end) {
    WindowSum sum(geometry);
    for (std::int64_t i = begin; i < end; ++i) {
      sum.add_up(wide + i * wide_size, small + i * small_size, gradients + i * size);
    }
  });
}

}  // namespace sotto::grad
