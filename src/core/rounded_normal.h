// Gaussian noise on whole numbers: the real Gaussian mechanism, rounded, with no approximation.
#pragma once

#include <cstdint>
#include <span>

#include "sotto/core/random.h"

namespace sotto {

// Adds deviation·Z, Z a standard normal (a real number), and rounds to the nearest whole number.
// The result has exactly that distribution: the bits of a word decide nearly every draw, and where
// they leave open whether a point lies below the bell curve, or which whole number is nearest, more
// bits are drawn and looked at in more digits. (That the C library's exp and log are right to 2^-40
// is taken for granted; they err by less than 2^-51.)
class RoundedNormal {
 public:
  static constexpr double kLeastDeviation = 0x1p6;
  static constexpr double kLargestDeviation = 0x1p14;
  static constexpr double kLargestQuick = 0x1p35;  // larger numbers are rounded in more digits

  enum class Effort : std::uint8_t {
    kAsNeeded,
    kExactOnly,  // for tests: every decision in 100 digits
  };

  // Throws InvalidArgument for a deviation that is not between the two above.
  explicit RoundedNormal(double deviation, Effort effort = Effort::kAsNeeded);

  // values[i] <- the whole number nearest to values[i] + deviation·Z_i.
  void add_to(std::span<double> values, RandomSource& random) const;

  // The same for one value, from a given first word; for tests.
  double nearest(double value, std::uint64_t word, RandomSource& random) const;

 private:
  double deviation_;
  Effort effort_;
};

}  // namespace sotto
