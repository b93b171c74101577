#include "rappor/bit_coins.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace sotto::rappor {

namespace {

// The first 64 binary digits of a number in [0, 1); 1 is 0.111...
std::uint64_t leading_digits(double probability) {
  if (probability == 1) return ~std::uint64_t{0};
  return static_cast<std::uint64_t>(std::ldexp(probability, 64));
}

// 1 needs none of its digits: it wins the tie.
unsigned needed_digits(double probability) {
  const std::uint64_t digits = leading_digits(probability);
  if (probability == 1 || digits == 0) return 0;
  return 64U - static_cast<unsigned>(std::countr_zero(digits));
}

std::uint64_t tie_word(double probability) { return probability == 1 ? ~std::uint64_t{0} : 0; }

}  // namespace

BitCoins::BitCoins(double if_zero, double if_one)
    : if_zero_(leading_digits(if_zero)),
      if_one_(leading_digits(if_one)),
      digits_(std::max(needed_digits(if_zero), needed_digits(if_one))),
      tie_if_zero_(tie_word(if_zero)),
      tie_if_one_(tie_word(if_one)) {}

}  // namespace sotto::rappor
