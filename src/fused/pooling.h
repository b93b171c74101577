// Max, average and adaptive pooling.
#pragma once

#include <cstdint>
#include <vector>

#include "fused/layer.h"
#include "fused/shape.h"
#include "fused/window_kernels.h"

namespace sotto::fused {

struct PoolingOptions {
  Shape input;
  std::int64_t kernel[2] = {2, 2};
  std::int64_t stride[2] = {2, 2};
  std::int64_t padding[2] = {0, 0};
  bool ceil_mode = false;
  // Average: whether padding counts in the divisor, and a divisor instead.
  bool count_include_pad = true;
  std::int64_t divisor_override = 0;  // none: 0
};

// The windows of all output pixels, which overlap, leave gaps or are cut at the border as they may.
class PoolingWindows {
 public:
  static PoolingWindows sliding(const PoolingOptions& options);
  // Output pixel i of n covers inputs floor(i·size/n) to ceil((i+1)·size/n).
  static PoolingWindows adaptive(const Shape& input, std::int64_t height, std::int64_t width);

  Windows view() const { return {input_, output_, rows_.data(), columns_.data()}; }
  const Shape& input() const { return input_; }
  const Shape& output() const { return output_; }
  // (output pixels): 1 / the number of pixels that a mean is over.
  const std::vector<float>& weights() const { return weights_; }
  bool covers_something() const;

 private:
  Shape input_;
  Shape output_;
  std::vector<Extent> rows_;
  std::vector<Extent> columns_;
  std::vector<float> weights_;
};

class MaxPooling : public Layer {
 public:
  MaxPooling(PoolingWindows windows, const Place& place)
      : Layer(place), windows_(std::move(windows)) {}
  void forward(const Tile& tile) const override;
  void backward(const Tile& tile) const override;
  std::int64_t kept_size() const override { return windows_.output().size(); }

 private:
  PoolingWindows windows_;
};

class AveragePooling : public Layer {
 public:
  AveragePooling(PoolingWindows windows, const Place& place)
      : Layer(place), windows_(std::move(windows)) {}
  void forward(const Tile& tile) const override;
  void backward(const Tile& tile) const override;

 private:
  PoolingWindows windows_;
};

}  // namespace sotto::fused
