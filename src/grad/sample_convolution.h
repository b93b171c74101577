// Every sample's own gradient of a convolution's weight, without unfolding the maps.
#pragma once

#include <cstdint>

namespace sotto::grad {

// Of two axes: height, width. The weight pairs each pixel of the small map with the window of the
// wide map that it came from.
struct ConvolutionGeometry {
  std::int64_t channels = 0;      // of the wide map
  std::int64_t wide[2] = {0, 0};  // its height and width
  std::int64_t outputs = 0;       // channels of the small map
  std::int64_t small[2] = {0, 0};
  std::int64_t kernel[2] = {1, 1};
  std::int64_t stride[2] = {1, 1};
  std::int64_t padding[2] = {0, 0};
  std::int64_t dilation[2] = {1, 1};
};

// gradients (samples, kernel height, kernel width, channels, outputs) from wide (samples, channels,
// height, width) and small (samples, outputs, height, width), all dense; in parallel over samples.
void sample_weight_gradients(const ConvolutionGeometry& geometry, std::int64_t samples,
                             const float* wide, const float* small, float* gradients);

}  // namespace sotto::grad
