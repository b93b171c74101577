#include "fused/window_kernels.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fused/window_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sotto::fused::HWY_NAMESPACE {
namespace {

// Calls visit(output pixel, y extent, x extent) for every window.
template <typename Visit>
HWY_INLINE void each_window(const Windows& w, const Visit& visit) {
  for (std::int64_t y = 0; y < w.output.height; ++y) {
    for (std::int64_t x = 0; x < w.output.width; ++x) {
      visit(y * w.output.width + x, w.rows[y], w.columns[x]);
    }
  }
}

// The larger of each pair, and where it was found. What is not a number wins and stays.
HWY_INLINE void keep_larger(const float* HWY_RESTRICT x, std::int32_t pixel, std::int64_t channels,
                            float* HWY_RESTRICT best, std::int32_t* HWY_RESTRICT chosen) {
  for (std::int64_t c = 0; c < channels; ++c) {
    const bool larger = !(x[c] <= best[c]) && best[c] == best[c];
    best[c] = larger ? x[c] : best[c];
    chosen[c] = larger ? pixel : chosen[c];
  }
}

void max_pool_here(const Windows& w, const float* x, float* y, std::int32_t* chosen) {
  const std::int64_t channels = w.input.channels;
  each_window(w, [&](std::int64_t pixel, Extent rows, Extent columns) {
    float* best = y + pixel * channels;
    std::int32_t* where = chosen + pixel * channels;
    const auto first = static_cast<std::int32_t>(rows.begin * w.input.width + columns.begin);
    std::copy_n(x + first * channels, channels, best);
    std::fill_n(where, channels, first);
    for (std::int32_t i = rows.begin; i < rows.end; ++i) {
      for (std::int32_t j = columns.begin; j < columns.end; ++j) {
        const auto from = static_cast<std::int32_t>(i * w.input.width + j);
        if (from != first) keep_larger(x + from * channels, from, channels, best, where);
      }
    }
  });
}

HWY_INLINE void add_where_chosen(const float* HWY_RESTRICT dy, const std::int32_t* HWY_RESTRICT at,
                                 std::int32_t pixel, std::int64_t channels,
                                 float* HWY_RESTRICT dx) {
  for (std::int64_t c = 0; c < channels; ++c) dx[c] += at[c] == pixel ? dy[c] : 0.0F;
}

void max_pool_backward_here(const Windows& w, const std::int32_t* chosen, const float* dy,
                            float* dx) {
  const std::int64_t channels = w.input.channels;
  std::fill_n(dx, w.input.size(), 0.0F);
  each_window(w, [&](std::int64_t pixel, Extent rows, Extent columns) {
    for (std::int32_t i = rows.begin; i < rows.end; ++i) {
      for (std::int32_t j = columns.begin; j < columns.end; ++j) {
        const auto to = static_cast<std::int32_t>(i * w.input.width + j);
        add_where_chosen(dy + pixel * channels, chosen + pixel * channels, to, channels,
                         dx + to * channels);
      }
    }
  });
}

HWY_INLINE void add_multiple(const float* HWY_RESTRICT from, float factor, std::int64_t channels,
                             float* HWY_RESTRICT to) {
  for (std::int64_t c = 0; c < channels; ++c) to[c] += factor * from[c];
}

void average_pool_here(const Windows& w, const float* weights, const float* x, float* y) {
  const std::int64_t channels = w.input.channels;
  std::fill_n(y, w.output.size(), 0.0F);
  each_window(w, [&](std::int64_t pixel, Extent rows, Extent columns) {
    for (std::int64_t i = rows.begin; i < rows.end; ++i) {
      for (std::int64_t j = columns.begin; j < columns.end; ++j) {
        add_multiple(x + (i * w.input.width + j) * channels, weights[pixel], channels,
                     y + pixel * channels);
      }
    }
  });
}

void average_pool_backward_here(const Windows& w, const float* weights, const float* dy,
                                float* dx) {
  const std::int64_t channels = w.input.channels;
  std::fill_n(dx, w.input.size(), 0.0F);
  each_window(w, [&](std::int64_t pixel, Extent rows, Extent columns) {
    for (std::int64_t i = rows.begin; i < rows.end; ++i) {
      for (std::int64_t j = columns.begin; j < columns.end; ++j) {
        add_multiple(dy + pixel * channels, weights[pixel], channels,
                     dx + (i * w.input.width + j) * channels);
      }
    }
  });
}

}  // namespace
}  // namespace sotto::fused::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sotto::fused {

HWY_EXPORT(max_pool_here);
HWY_EXPORT(max_pool_backward_here);
HWY_EXPORT(average_pool_here);
HWY_EXPORT(average_pool_backward_here);

void max_pool(const Windows& windows, const float* x, float* y, std::int32_t* chosen) {
  HWY_DYNAMIC_DISPATCH(max_pool_here)(windows, x, y, chosen);
}

void max_pool_backward(const Windows& windows, const std::int32_t* chosen, const float* dy,
                       float* dx) {
  HWY_DYNAMIC_DISPATCH(max_pool_backward_here)(windows, chosen, dy, dx);
}

void average_pool(const Windows& windows, const float* weights, const float* x, float* y) {
  HWY_DYNAMIC_DISPATCH(average_pool_here)(windows, weights, x, y);
}

void average_pool_backward(const Windows& windows, const float* weights, const float* dy,
                           float* dx) {
  HWY_DYNAMIC_DISPATCH(average_pool_backward_here)(windows, weights, dy, dx);
}

}  // namespace sotto::fused
#endif
