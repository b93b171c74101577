// Pooling: every channel for itself, vectors along the channels.
#pragma once

#include <cstdint>

#include "fused/shape.h"

namespace sotto::fused {

// Pixels [begin, end) of one axis that a window covers.
struct Extent {
  std::int32_t begin = 0;
  std::int32_t end = 0;
};

// A window for every output pixel: rows[y] by columns[x].
struct Windows {
  Shape input;
  Shape output;
  const Extent* rows = nullptr;     // (output.height)
  const Extent* columns = nullptr;  // (output.width)
};

// One sample. `chosen` (output) is the number of the input pixel whose value was taken: the first
// of the largest, as LibTorch has it.
void max_pool(const Windows& windows, const float* x, float* y, std::int32_t* chosen);
void max_pool_backward(const Windows& windows, const std::int32_t* chosen, const float* dy,
                       float* dx);

// One sample. weights (output pixels): what a window's sum is multiplied by.
void average_pool(const Windows& windows, const float* weights, const float* x, float* y);
void average_pool_backward(const Windows& windows, const float* weights, const float* dy,
                           float* dx);

}  // namespace sotto::fused
