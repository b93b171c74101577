// Pictures in memory.
#pragma once

#include <cstdint>
#include <string>

namespace sotto::data {

// Larger files are refused before they are decoded.
inline constexpr std::int64_t kLargestImageSide = 16'384;

struct Image {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t channels = 0;  // 1: grey, 3: red, green, blue
  std::string pixels;         // (height, width, channels) unsigned bytes

  std::int64_t row_bytes() const { return width * channels; }

  // Throws InvalidArgument unless 1 <= height, width <= kLargestImageSide, there are 1 or 3
  // channels, and as many bytes as these say.
  void validate() const;
};

// The same picture at another size. Along an axis that shrinks, a new pixel is the average of the
// area it covers; along one that grows, pixels are interpolated linearly.
Image resize(const Image& image, std::int64_t height, std::int64_t width);

}  // namespace sotto::data
