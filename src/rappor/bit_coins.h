// Sixty-four biased coins at once.
#pragma once

#include <cstdint>

namespace sotto::rappor {

// Turns bits into random bits: Pr[1] is `if_zero` for a 0 and `if_one` for a 1, exactly to the 64th
// binary digit and independently for every bit. Random words are compared, digit by digit, with
// the binary digits of the probabilities; a coin is decided at the first difference, so that few
// words are needed (two for p = 1/2, q = 3/4).
class BitCoins {
 public:
  // REQUIRES: both in [0, 1].
  BitCoins(double if_zero, double if_one);

  // `next` gives 64 random bits a call. Bits outside `mask` come out 0.
  template <typename NextWord>
  std::uint64_t operator()(std::uint64_t bits, std::uint64_t mask, NextWord&& next) const {
    std::uint64_t ones = 0;
    std::uint64_t undecided = mask;
    for (unsigned digit = 0; digit < digits_ && undecided != 0; ++digit) {
      const std::uint64_t threshold =
          (bits & spread(if_one_, digit)) | (~bits & spread(if_zero_, digit));
      const std::uint64_t random = next();
      ones |= undecided & threshold & ~random;
      undecided &= ~(threshold ^ random);
    }
    // Not below the threshold, unless that is 1.
    return ones | (undecided & ((bits & tie_if_one_) | (~bits & tie_if_zero_)));
  }

 private:
  // All ones if the digit (0 is the first behind the point) is 1.
  static std::uint64_t spread(std::uint64_t digits, unsigned digit) {
    return 0 - (digits >> (63U - digit) & 1U);
  }

  std::uint64_t if_zero_;  // the first 64 binary digits
  std::uint64_t if_one_;
  unsigned digits_;  // all further digits are 0
  std::uint64_t tie_if_zero_;
  std::uint64_t tie_if_one_;
};

}  // namespace sotto::rappor
