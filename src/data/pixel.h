// Bytes of images as features.
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

namespace sotto::data {

// A pixel's byte b becomes the feature b / kWhite in [0, 1]. A constant, not a statistic of the
// data: it reveals nothing about them.
inline constexpr float kWhite = 255.0F;

// Appends one feature for each byte.
inline void append_pixels(std::string_view bytes, std::vector<float>& features) {
  const auto start = features.size();
  features.resize(start + bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    features[start + i] = static_cast<float>(static_cast<std::uint8_t>(bytes[i])) / kWhite;
  }
}

// The byte whose feature is nearest; features outside [0, 1] are clamped, NaN becomes 0.
inline std::uint8_t pixel_byte(float feature) {
  if (!(feature > 0)) return 0;
  return static_cast<std::uint8_t>(std::lround((feature < 1 ? feature : 1.0F) * kWhite));
}

}  // namespace sotto::data
