#include "fused/normalisation_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fused/normalisation_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sotto::fused::HWY_NAMESPACE {
namespace {

void add_squared_distances_here(const Channels& size, const float* HWY_RESTRICT x,
                                const float* HWY_RESTRICT centre, float* HWY_RESTRICT sum) {
  for (std::int64_t p = 0; p < size.pixels; ++p, x += size.channels) {
    for (std::int64_t c = 0; c < size.channels; ++c) {
      const float distance = x[c] - centre[c];
      sum[c] += distance * distance;
    }
  }
}

void add_correlations_here(const Channels& size, const float* HWY_RESTRICT g,
                           const float* HWY_RESTRICT x, const float* HWY_RESTRICT centre,
                           const float* HWY_RESTRICT scale, float* HWY_RESTRICT sum) {
  for (std::int64_t p = 0; p < size.pixels; ++p, x += size.channels, g += size.channels) {
    for (std::int64_t c = 0; c < size.channels; ++c) {
      sum[c] += g[c] * ((x[c] - centre[c]) * scale[c]);
    }
  }
}

void scale_channels_here(const Channels& size, const float* HWY_RESTRICT x,
                         const float* HWY_RESTRICT centre, const float* HWY_RESTRICT scale,
                         const float* HWY_RESTRICT shift, float* HWY_RESTRICT y) {
  for (std::int64_t p = 0; p < size.pixels; ++p, x += size.channels, y += size.channels) {
    for (std::int64_t c = 0; c < size.channels; ++c) {
      y[c] = (x[c] - centre[c]) * scale[c] + shift[c];
    }
  }
}

void normalisation_backward_here(const Channels& size, const float* HWY_RESTRICT g,
                                 const float* HWY_RESTRICT x, const NormalisationSlopes& slopes,
                                 float* HWY_RESTRICT dx) {
  const float* HWY_RESTRICT a = slopes.a;
  const float* HWY_RESTRICT b = slopes.b;
  const float* HWY_RESTRICT centre = slopes.centre;
  const float* HWY_RESTRICT d = slopes.d;
  for (std::int64_t p = 0; p < size.pixels; ++p) {
    for (std::int64_t c = 0; c < size.channels; ++c) {
      dx[c] = a[c] * g[c] - b[c] - (x[c] - centre[c]) * d[c];
    }
    g += size.channels;
    x += size.channels;
    dx += size.channels;
  }
}

}  // namespace
}  // namespace sotto::fused::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sotto::fused {

HWY_EXPORT(add_squared_distances_here);
HWY_EXPORT(add_correlations_here);
HWY_EXPORT(scale_channels_here);
HWY_EXPORT(normalisation_backward_here);

void add_squared_distances(const Channels& size, const float* x, const float* centre, float* sum) {
  HWY_DYNAMIC_DISPATCH(add_squared_distances_here)(size, x, centre, sum);
}

void add_correlations(const Channels& size, const float* g, const float* x, const float* centre,
                      const float* scale, float* sum) {
  HWY_DYNAMIC_DISPATCH(add_correlations_here)(size, g, x, centre, scale, sum);
}

void scale_channels(const Channels& size, const float* x, const float* centre, const float* scale,
                    const float* shift, float* y) {
  HWY_DYNAMIC_DISPATCH(scale_channels_here)(size, x, centre, scale, shift, y);
}

void normalisation_backward(const Channels& size, const float* g, const float* x,
                            const NormalisationSlopes& slopes, float* dx) {
  HWY_DYNAMIC_DISPATCH(normalisation_backward_here)(size, g, x, slopes, dx);
}

}  // namespace sotto::fused
#endif
