// Pictures for tests.
#pragma once

#include <cmath>

#include "data/image.h"

namespace sotto::data {

inline Image plain_image(std::int64_t height, std::int64_t width, const std::string& colour) {
  Image image{height, width, static_cast<std::int64_t>(colour.size()), {}};
  for (std::int64_t i = 0; i < height * width; ++i) image.pixels += colour;
  return image;
}

// Brightness rises from left to right and from top to bottom.
inline Image ramp_image(std::int64_t height, std::int64_t width, std::int64_t channels) {
  Image image{height, width, channels, {}};
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      for (std::int64_t c = 0; c < channels; ++c) {
        image.pixels +=
            static_cast<char>((2 * x + 1) * 64 / width + (2 * y + 1) * 32 / height + 20 * c);
      }
    }
  }
  return image;
}

inline int largest_difference(const Image& a, const Image& b) {
  int largest = a.pixels.size() == b.pixels.size() ? 0 : 256;
  for (std::size_t i = 0; i < std::min(a.pixels.size(), b.pixels.size()); ++i) {
    const int difference =
        static_cast<unsigned char>(a.pixels[i]) - static_cast<unsigned char>(b.pixels[i]);
    largest = std::max(largest, std::abs(difference));
  }
  return largest;
}

}  // namespace sotto::data
