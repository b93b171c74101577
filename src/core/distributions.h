// Random variables drawn from a RandomSource.
#pragma once

#include <cstdint>

#include "sotto/core/random.h"

namespace sotto {

// Uniform on {0, 2^-53, ..., 1 - 2^-53}.
double draw_uniform(RandomSource& random);

// A coin that comes up true with probability exactly p, for every double p in [0, 1]: 64 random
// bits are compared with the binary digits of p, and in the one case in 2^64 where they agree, the
// next 64 decide. (A 24-bit float comparison, as elsewhere, turns q = 1e-7 into 1.19e-7.)
class Bernoulli {
 public:
  // Throws InvalidArgument unless 0 <= probability <= 1.
  explicit Bernoulli(double probability);

  bool operator()(RandomSource& random) const {
    const std::uint64_t bits = random();
    if (bits != threshold_) return bits < threshold_;
    return draw_remaining_digits(random);
  }

 private:
  bool draw_remaining_digits(RandomSource& random) const;

  std::uint64_t threshold_ = 0;  // first 64 binary digits of p
  double remainder_ = 0;         // the digits after them, as a number in [0, 1]; 1 only for p = 1
};

// Laplace with mean 0 and the given scale: density e^{-|x|/scale} / (2 scale).
double draw_laplace(double scale, RandomSource& random);

}  // namespace sotto
