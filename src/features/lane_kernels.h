// Loops over 16 pictures at once, for whatever vector unit the machine has. Every number of a
// picture has 16 places, one a picture: (..., kLanes). Each lane is computed by itself, so that a
// picture's numbers do not depend on those beside it.
#pragma once

#include <cstdint>
#include <vector>

namespace sotto::features {

inline constexpr std::int64_t kLanes = 16;

// One pass of a mixed-radix Fourier transform (Stockham's, which sorts itself).
struct FftPass {
  std::int64_t radix;   // r
  std::int64_t groups;  // m: what is left of the length after this pass
  std::int64_t stride;  // s: what was done before it
  // e^{-2πi p k / (r m)} for all p < m, k < r, and e^{-2πi j k / r} for all j, k < r.
  std::vector<float> twiddles_re, twiddles_im, roots_re, roots_im;
};

// Of length n, without scaling.
std::vector<FftPass> fft_passes(std::int64_t n);

// Complex numbers in two planes.
struct Planes {
  float* re;
  float* im;
};

enum class Direction { kForward, kInverse };

// Transforms the middle axis of (outer, n, inner); the result is in `data`. `spare` is as large.
// REQUIRES: inner is a multiple of kLanes.
void fft(const std::vector<FftPass>& passes, std::int64_t outer, std::int64_t inner,
         Direction direction, Planes& data, Planes& spare);

// What a convolution and subsampling by 2^halvings become of frequencies (height, width, lanes):
// folded(y, x) = Σ data · filter over all (y', x') that are (y, x) modulo the smaller size.
void filter_and_fold(const Planes& data, const std::vector<float>& filter, std::int64_t height,
                     std::int64_t width, std::int64_t halvings, const Planes& folded);

// re = |re + i im|
void modulus(const Planes& data, std::int64_t count);

// maps(a, b) = Σ rows(a, y) columns(b, x) values(y, x): values (height, width, lanes), rows
// (map_height, height), columns (map_width, width), scratch (map_height, width, lanes), maps
// (map_height, map_width, lanes).
struct Averaging {
  std::int64_t height, width, map_height, map_width;
  std::vector<float> rows, columns;
};
void average(const Averaging& averaging, const float* values, float* scratch, float* maps);

}  // namespace sotto::features
