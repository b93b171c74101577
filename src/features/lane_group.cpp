#include "features/lane_group.h"

#include <algorithm>

namespace sotto::features {

LaneGroup::Signal::Signal(std::int64_t count)
    : re_(static_cast<std::size_t>(count)),
      im_(static_cast<std::size_t>(count)),
      planes{re_.data(), im_.data()} {}

LaneGroup::LaneGroup(const ScatteringPlan& plan)
    : plan_(plan),
      picture_(plan.levels[0].size()),
      wave_(plan.levels[0].size()),
      second_wave_(plan.levels[0].size()),
      spare_(plan.levels[0].size()),
      averaged_rows_(static_cast<std::size_t>(plan.width * kLanes)),
      maps_(static_cast<std::size_t>(plan.channels() * plan.map_size() * kLanes)) {}

// Lanes without a picture are empty.
void LaneGroup::take(const float* pictures, std::int64_t count) {
  const auto& options = plan_.options;
  float* to = picture_.planes.re;
  for (const auto row : plan_.rows) {
    for (const auto column : plan_.columns) {
      const float* pixel = pictures + row * options.width + column;
      for (std::int64_t lane = 0; lane < kLanes; ++lane) {
        *to++ = lane < count ? pixel[lane * options.height * options.width] : 0;
      }
    }
  }
  std::fill_n(picture_.planes.im, plan_.levels[0].size(), 0.0F);
}

void LaneGroup::give(std::int64_t count, float* features) const {
  const std::int64_t size = plan_.channels() * plan_.map_size();
  for (std::int64_t lane = 0; lane < count; ++lane) {
    for (std::int64_t i = 0; i < size; ++i) {
      features[lane * size + i] = maps_[static_cast<std::size_t>(i * kLanes + lane)];
    }
  }
}

void LaneGroup::average_into(std::int64_t channel, std::int64_t level, const float* values) {
  average(plan_.levels[static_cast<std::size_t>(level)].averaging, values, averaged_rows_.data(),
          maps_.data() + channel * plan_.map_size() * kLanes);
}

void LaneGroup::to_frequencies(std::int64_t level, Signal& signal) {
  const auto& [height, width, along_height, along_width, averaging] =
      plan_.levels[static_cast<std::size_t>(level)];
  fft(along_width, height, kLanes, Direction::kForward, signal.planes, spare_.planes);
  fft(along_height, 1, width * kLanes, Direction::kForward, signal.planes, spare_.planes);
}

void LaneGroup::filter(const Signal& signal, std::int64_t level,
                       const ScatteringPlan::Wavelet& wavelet, Signal& wave) {
  const auto& from = plan_.levels[static_cast<std::size_t>(level)];
  const auto& to = plan_.levels[static_cast<std::size_t>(wavelet.scale)];
  filter_and_fold(signal.planes, wavelet.spectra[static_cast<std::size_t>(level)], from.height,
                  from.width, wavelet.scale - level, wave.planes);
  fft(to.along_height, 1, to.width * kLanes, Direction::kInverse, wave.planes, spare_.planes);
  fft(to.along_width, to.height, kLanes, Direction::kInverse, wave.planes, spare_.planes);
  modulus(wave.planes, to.size());
}

void LaneGroup::scatter_again(std::int64_t level, std::int64_t channel) {
  std::fill_n(wave_.planes.im, plan_.levels[static_cast<std::size_t>(level)].size(), 0.0F);
  to_frequencies(level, wave_);
  for (const auto& wavelet : plan_.wavelets) {
    if (wavelet.scale <= level) continue;
    filter(wave_, level, wavelet, second_wave_);
    average_into(channel++, wavelet.scale, second_wave_.planes.re);
  }
}

void LaneGroup::transform(const float* pictures, std::int64_t count, float* features) {
  const auto& options = plan_.options;
  take(pictures, count);
  average_into(0, 0, picture_.planes.re);
  to_frequencies(0, picture_);
  std::int64_t first = 1;
  std::int64_t second = 1 + options.angles * options.scales;
  for (const auto& wavelet : plan_.wavelets) {
    filter(picture_, 0, wavelet, wave_);
    average_into(first++, wavelet.scale, wave_.planes.re);
    const std::int64_t coarser = options.scales - 1 - wavelet.scale;
    if (options.order == 1 || coarser == 0) continue;
    scatter_again(wavelet.scale, second);
    second += coarser * options.angles;
  }
  give(count, features);
}

}  // namespace sotto::features
