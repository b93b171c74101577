#include "data/image.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sotto/core/error.h"

namespace sotto::data {

namespace {

// A new pixel along one axis: old pixels from `first` on, with weights that sum to 1.
struct Mixture {
  std::int64_t first = 0;
  std::vector<float> weights;
};

// The old pixels that [from, to) covers, each by the length it shares.
Mixture covered(double from, double to, std::int64_t old_size) {
  Mixture mixture{static_cast<std::int64_t>(from), {}};
  const auto last = std::min(static_cast<std::int64_t>(std::ceil(to)), old_size);
  for (auto i = mixture.first; i < last; ++i) {
    const double share =
        std::min(to, static_cast<double>(i + 1)) - std::max(from, static_cast<double>(i));
    mixture.weights.push_back(static_cast<float>(share / (to - from)));
  }
  return mixture;
}

// The two old pixels around `position`, counted between pixel centres.
Mixture between(double position, std::int64_t old_size) {
  const double inside = std::clamp(position, 0.0, static_cast<double>(old_size - 1));
  const auto left =
      std::min(static_cast<std::int64_t>(inside), std::max<std::int64_t>(old_size - 2, 0));
  if (old_size == 1) return {0, {1.0F}};
  const auto part = static_cast<float>(inside - static_cast<double>(left));
  return {left, {1 - part, part}};
}

std::vector<Mixture> mixtures(std::int64_t old_size, std::int64_t new_size) {
  const double ratio = static_cast<double>(old_size) / static_cast<double>(new_size);
  std::vector<Mixture> all;
  for (std::int64_t i = 0; i < new_size; ++i) {
    const double start = static_cast<double>(i) * ratio;
    all.push_back(ratio > 1 ? covered(start, start + ratio, old_size)
                            : between(start + ratio / 2 - 0.5, old_size));
  }
  return all;
}

// (rows, old, inner) -> (rows, new, inner)
std::vector<float> mix_axis(const std::vector<float>& values, std::int64_t rows,
                            std::int64_t old_size, std::int64_t new_size, std::int64_t inner) {
  const auto all = mixtures(old_size, new_size);
  std::vector<float> mixed(static_cast<std::size_t>(rows * new_size * inner), 0.0F);
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t i = 0; i < new_size; ++i) {
      const auto& mixture = all[static_cast<std::size_t>(i)];
      float* target = &mixed[static_cast<std::size_t>((row * new_size + i) * inner)];
      const float* source =
          &values[static_cast<std::size_t>((row * old_size + mixture.first) * inner)];
      for (const float weight : mixture.weights) {
        for (std::int64_t k = 0; k < inner; ++k) target[k] += weight * *source++;
      }
    }
  }
  return mixed;
}

}  // namespace

void Image::validate() const {
  check_argument(
      height >= 1 && height <= kLargestImageSide && width >= 1 && width <= kLargestImageSide,
      "an image of ", width, " x ", height, " pixels, must be in [1, ", kLargestImageSide,
      "] each way");
  check_argument(channels == 1 || channels == 3, "an image of ", channels,
                 " channels, must be 1 or 3");
  check_argument(pixels.size() == static_cast<std::size_t>(height * row_bytes()), "an image of ",
                 width, " x ", height, " x ", channels, " with ", pixels.size(), " bytes");
}

Image resize(const Image& image, std::int64_t height, std::int64_t width) {
  image.validate();
  Image resized{height, width, image.channels, {}};
  resized.pixels.resize(
      static_cast<std::size_t>(std::max<std::int64_t>(height * width, 0) * image.channels));
  resized.validate();
  std::vector<float> values;
  values.reserve(image.pixels.size());
  for (const char byte : image.pixels) values.push_back(static_cast<std::uint8_t>(byte));
  values = mix_axis(values, image.height, image.width, width, image.channels);
  values = mix_axis(values, 1, image.height, height, width * image.channels);
  std::transform(values.begin(), values.end(), resized.pixels.begin(), [](float value) {
    return static_cast<char>(static_cast<std::uint8_t>(std::min(value + 0.5F, 255.0F)));
  });
  return resized;
}

}  // namespace sotto::data
