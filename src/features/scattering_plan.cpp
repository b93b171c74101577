#include "features/scattering_plan.h"

#include <algorithm>

#include "features/morlet_filters.h"
#include "sotto/core/error.h"

namespace sotto::features {
namespace {

std::vector<float> as_floats(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

const ScatteringOptions& checked(const ScatteringOptions& options) {
  constexpr std::int64_t kMostScales = 8;
  constexpr std::int64_t kMostAngles = 64;
  constexpr std::int64_t kMostPixels = 2048;
  check_argument(options.scales >= 1 && options.scales <= kMostScales, "scales must be from 1 to ",
                 kMostScales, ", got ", options.scales);
  check_argument(options.angles >= 1 && options.angles <= kMostAngles, "angles must be from 1 to ",
                 kMostAngles, ", got ", options.angles);
  check_argument(options.order == 1 || options.order == 2, "order must be 1 or 2, got ",
                 options.order);
  const std::int64_t least = std::int64_t{1} << options.scales;
  check_argument(std::min(options.height, options.width) >= least &&
                     std::max(options.height, options.width) <= kMostPixels,
                 "pictures of ", options.height, " x ", options.width, " do not suit ",
                 options.scales, " scales; accepted: from ", least, " to ", kMostPixels,
                 " pixels each way");
  return options;
}

// A multiple of 2^scales with room for an average beyond both ends.
std::int64_t padded(std::int64_t size, std::int64_t scales) {
  const std::int64_t unit = std::int64_t{1} << scales;
  return ((size + unit) / unit + 1) * unit;
}

// Where the pixels of a padded line come from: mirrored at both ends, which are not repeated.
std::vector<std::int64_t> mirrored(std::int64_t size, std::int64_t padded_size) {
  const std::int64_t before = (padded_size - size) / 2;
  const std::int64_t period = 2 * (size - 1);
  std::vector<std::int64_t> sources;
  for (std::int64_t i = 0; i < padded_size; ++i) {
    const std::int64_t place = ((i - before) % period + period) % period;
    sources.push_back(std::min(place, period - place));
  }
  return sources;
}

}  // namespace

ScatteringPlan::ScatteringPlan(const ScatteringOptions& the_options)
    : options(checked(the_options)),
      height(padded(options.height, options.scales)),
      width(padded(options.width, options.scales)),
      rows(mirrored(options.height, height)),
      columns(mirrored(options.width, width)) {
  for (std::int64_t level = 0; level < options.scales; ++level) levels.push_back(level_of(level));
  for (std::int64_t scale = 0; scale < options.scales; ++scale) {
    for (std::int64_t angle = 0; angle < options.angles; ++angle) {
      wavelets.push_back(wavelet_of(scale, angle));
    }
  }
}

std::int64_t ScatteringPlan::channels() const {
  const std::int64_t first = options.angles * options.scales;
  const std::int64_t second = options.angles * first * (options.scales - 1) / 2;
  return 1 + first + (options.order == 2 ? second : 0);
}

ScatteringPlan::Level ScatteringPlan::level_of(std::int64_t level) const {
  const std::int64_t h = height >> level;
  const std::int64_t w = width >> level;
  return {
      h,
      w,
      fft_passes(h),
      fft_passes(w),
      {h, w, map_height(), map_width(), as_floats(averaging_rows(height, options.scales, level)),
       as_floats(averaging_rows(width, options.scales, level))}};
}

ScatteringPlan::Wavelet ScatteringPlan::wavelet_of(std::int64_t scale, std::int64_t angle) const {
  const auto spectrum = morlet(height, width, {scale, angle, options.angles});
  const bool second = options.order == 2;  // only there are signals of other levels filtered
  Wavelet wavelet{scale, {}};
  for (std::int64_t level = 0; level < (second ? std::max<std::int64_t>(1, scale) : 1); ++level) {
    auto values = as_floats(low_frequencies(spectrum, level).values);
    const auto count = static_cast<float>((height >> level) * (width >> level));
    for (auto& value : values) value /= count;
    wavelet.spectra.push_back(std::move(values));
  }
  return wavelet;
}

}  // namespace sotto::features
