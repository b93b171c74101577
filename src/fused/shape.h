// The shape of one sample between two layers.
#pragma once

#include <cstdint>

namespace sotto::fused {

// Stored pixel by pixel, all channels of a pixel together; a flat sample is one pixel.
struct Shape {
  std::int64_t height = 1;
  std::int64_t width = 1;
  std::int64_t channels = 0;

  std::int64_t pixels() const { return height * width; }
  std::int64_t size() const { return pixels() * channels; }
  bool operator==(const Shape&) const = default;
};

}  // namespace sotto::fused
