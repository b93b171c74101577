#include "fused/pooling.h"

#include <algorithm>
#include <bit>

namespace sotto::fused {
namespace {

struct Axis {
  std::vector<Extent> extents;
  std::vector<std::int64_t> counted;  // pixels of the window, padding included
};

// LibTorch's rule: with ceil_mode a last window may start inside the input or its left padding.
std::int64_t outputs(std::int64_t size, const PoolingOptions& o, int d) {
  const std::int64_t room = size + 2 * o.padding[d] - o.kernel[d];
  std::int64_t count = (room + (o.ceil_mode ? o.stride[d] - 1 : 0)) / o.stride[d] + 1;
  if (o.ceil_mode && (count - 1) * o.stride[d] >= size + o.padding[d]) --count;
  return count;
}

Axis sliding_axis(std::int64_t size, const PoolingOptions& o, int d) {
  Axis axis;
  for (std::int64_t i = 0; i < outputs(size, o, d); ++i) {
    const std::int64_t begin = i * o.stride[d] - o.padding[d];
    const std::int64_t end = std::min(begin + o.kernel[d], size + o.padding[d]);
    axis.counted.push_back(end - begin);
    axis.extents.push_back({static_cast<std::int32_t>(std::max<std::int64_t>(begin, 0)),
                            static_cast<std::int32_t>(std::min(end, size))});
  }
  return axis;
}

std::vector<Extent> adaptive_axis(std::int64_t size, std::int64_t count) {
  std::vector<Extent> extents;
  for (std::int64_t i = 0; i < count; ++i) {
    extents.push_back({static_cast<std::int32_t>(i * size / count),
                       static_cast<std::int32_t>(((i + 1) * size + count - 1) / count)});
  }
  return extents;
}

std::int64_t length(const Extent& extent) { return extent.end - extent.begin; }

// The pixel numbers that max-pooling remembers share the workspace of floats.
std::int32_t* as_pixels(float* kept) { return reinterpret_cast<std::int32_t*>(kept); }
static_assert(sizeof(std::int32_t) == sizeof(float));

}  // namespace

PoolingWindows PoolingWindows::sliding(const PoolingOptions& options) {
  const Axis rows = sliding_axis(options.input.height, options, 0);
  const Axis columns = sliding_axis(options.input.width, options, 1);
  PoolingWindows windows;
  windows.input_ = options.input;
  windows.rows_ = rows.extents;
  windows.columns_ = columns.extents;
  windows.output_ = {static_cast<std::int64_t>(rows.extents.size()),
                     static_cast<std::int64_t>(columns.extents.size()), options.input.channels};
  for (std::size_t y = 0; y < rows.extents.size(); ++y) {
    for (std::size_t x = 0; x < columns.extents.size(); ++x) {
      std::int64_t count = options.count_include_pad
                               ? rows.counted[y] * columns.counted[x]
                               : length(rows.extents[y]) * length(columns.extents[x]);
      if (options.divisor_override > 0) count = options.divisor_override;
      windows.weights_.push_back(1.0F / static_cast<float>(count));
    }
  }
  return windows;
}

PoolingWindows PoolingWindows::adaptive(const Shape& input, std::int64_t height,
                                        std::int64_t width) {
  PoolingWindows windows;
  windows.input_ = input;
  windows.output_ = {height, width, input.channels};
  windows.rows_ = adaptive_axis(input.height, height);
  windows.columns_ = adaptive_axis(input.width, width);
  for (const auto& row : windows.rows_) {
    for (const auto& column : windows.columns_) {
      windows.weights_.push_back(1.0F / static_cast<float>(length(row) * length(column)));
    }
  }
  return windows;
}

bool PoolingWindows::covers_something() const {
  const auto full = [](const Extent& extent) { return length(extent) > 0; };
  return std::all_of(rows_.begin(), rows_.end(), full) &&
         std::all_of(columns_.begin(), columns_.end(), full);
}

void MaxPooling::forward(const Tile& tile) const {
  const std::int64_t in = windows_.input().size();
  const std::int64_t out = windows_.output().size();
  for (std::int64_t n = 0; n < tile.samples; ++n) {
    max_pool(windows_.view(), input(tile) + n * in, output(tile) + n * out,
             as_pixels(kept(tile)) + n * out);
  }
}

void MaxPooling::backward(const Tile& tile) const {
  const std::int64_t in = windows_.input().size();
  const std::int64_t out = windows_.output().size();
  for (std::int64_t n = 0; n < tile.samples; ++n) {
    max_pool_backward(windows_.view(), as_pixels(kept(tile)) + n * out,
                      output_gradient(tile) + n * out, input_gradient(tile) + n * in);
  }
}

void AveragePooling::forward(const Tile& tile) const {
  for (std::int64_t n = 0; n < tile.samples; ++n) {
    average_pool(windows_.view(), windows_.weights().data(),
                 input(tile) + n * windows_.input().size(),
                 output(tile) + n * windows_.output().size());
  }
}

void AveragePooling::backward(const Tile& tile) const {
  for (std::int64_t n = 0; n < tile.samples; ++n) {
    average_pool_backward(windows_.view(), windows_.weights().data(),
                          output_gradient(tile) + n * windows_.output().size(),
                          input_gradient(tile) + n * windows_.input().size());
  }
}

}  // namespace sotto::fused
