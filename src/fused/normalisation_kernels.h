// Sums over the pixels of a sample, for every channel: x is (pixels, channels).
#pragma once

#include <cstdint>

namespace sotto::fused {

struct Channels {
  std::int64_t pixels = 0;
  std::int64_t channels = 0;
};

// sum(c) += Σ (x - centre(c))²
void add_squared_distances(const Channels& size, const float* x, const float* centre, float* sum);
// sum(c) += Σ g · (x - centre(c)) · scale(c)
void add_correlations(const Channels& size, const float* g, const float* x, const float* centre,
                      const float* scale, float* sum);
// y = (x - centre(c)) · scale(c) + shift(c)
void scale_channels(const Channels& size, const float* x, const float* centre, const float* scale,
                    const float* shift, float* y);
// dx = a(c) · g - b(c) - (x - centre(c)) · d(c)
struct NormalisationSlopes {
  const float* a = nullptr;
  const float* b = nullptr;
  const float* centre = nullptr;
  const float* d = nullptr;
};
void normalisation_backward(const Channels& size, const float* g, const float* x,
                            const NormalisationSlopes& slopes, float* dx);

}  // namespace sotto::fused
