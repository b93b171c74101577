// Gaussian noise on whole numbers: the real Gaussian mechanism, rounded, with no approximation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/core/random.h"

namespace sotto {

// Adds deviation·Z, Z a standard normal (a real number), and rounds to the nearest whole number of
// steps. The result has exactly that distribution: 32 random bits decide nearly every draw, and
// where they leave open whether a point lies below the bell curve, or which whole number is
// nearest, more bits are drawn and looked at in more digits. (That the C library's exp and log are
// right to 2^-40 is taken for granted; they err by less than 2^-51.)
class RoundedNormal {
 public:
  static constexpr double kLeastDeviation = 0x1p5;
  static constexpr double kLargestDeviation = 0x1p11;
  static constexpr double kLargestQuick = 0x1p35;  // larger numbers are rounded in more digits

  enum class Effort : std::uint8_t {
    kAsNeeded,
    kExactOnly,  // for tests: every decision in 100 digits
  };

  // Throws InvalidArgument for a deviation that is not between the two above.
  explicit RoundedNormal(double deviation, Effort effort = Effort::kAsNeeded);

  // From sums to steps, a power of two (so that the product is exact), and from steps to what is
  // released.
  struct Scales {
    double into_steps = 1;
    double out_of_them = 1;
  };

  // out[i] <- out_of_them times the whole number nearest to into_steps·sums[i] + deviation·Z_i.
  // Value is float or double; `out` has the size of `sums`, and is other memory.
  template <typename Value>
  void release(std::span<const double> sums, std::span<Value> out, const Scales& scales,
               RandomSource& random) const;

  // Nearest whole number to value + deviation·Z, from a given first word.
  double nearest(double value, std::uint64_t word, RandomSource& random) const;

 private:
  static constexpr std::size_t kBlock = 512;

  // For a multiple of eight numbers.
  template <typename Value>
  void release_block(std::span<const double> sums, std::span<Value> out, const Scales& scales,
                     RandomSource& random) const;

  double deviation_;
  Effort effort_;
};

}  // namespace sotto
