// The filters of a scattering transform, in the frequency domain.
#pragma once

#include <cstdint>
#include <vector>

namespace sotto::features {

// Real values on a grid of frequencies (height, width), zero frequency first.
struct Spectrum {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::vector<double> values;

  double at(std::int64_t y, std::int64_t x) const {
    return values[static_cast<std::size_t>(y * width + x)];
  }
};

// A Morlet wavelet of scale 2^j and an angle of (L/2 - 1 - theta) π / L, periodic on the grid.
struct MorletShape {
  std::int64_t scale = 0;   // j
  std::int64_t angle = 0;   // theta, from 0
  std::int64_t angles = 8;  // L
};
Spectrum morlet(std::int64_t height, std::int64_t width, const MorletShape& shape);

// What is left of a spectrum for signals that were subsampled by 2^halvings: its low frequencies.
Spectrum low_frequencies(const Spectrum& spectrum, std::int64_t halvings);

// The Gaussian φ of scales J works on rows and columns separately. Low-pass and subsampling of a
// signal of period `length` / 2^halvings, cut to the maps that are kept: (maps, length /
// 2^halvings) weights, row by row. `maps`: length / 2^J - 2, the ones in between.
std::vector<double> averaging_rows(std::int64_t length, std::int64_t scales, std::int64_t halvings);

}  // namespace sotto::features
