#include "mechanisms/exact_coin.h"

#include <cmath>
#include <cstdint>

namespace sotto::mechanisms {

namespace {

using boost::multiprecision::msb;

BigInteger draw_bits(unsigned count, RandomSource& random) {
  BigInteger bits = 0;
  for (; count >= 64; count -= 64) bits = (bits << 64U) | random();
  if (count > 0) bits = (bits << count) | (random() >> (64 - count));
  return bits;
}

// True with probability e^-exponent, for an exponent of at most 1: of the coins of probability
// exponent/1, exponent/2, exponent/3, ..., the first to fail has an odd number. A coin of
// probability exponent/k is one of exponent and one of 1/k, both of which must come up.
bool draw_small_exponential_coin(const Fraction& exponent, RandomSource& random) {
  std::uint64_t k = 1;
  while (draw_below(exponent.denominator, random) < exponent.numerator &&
         draw_below(k, random) == 0) {
    ++k;
  }
  return k % 2 == 1;
}

}  // namespace

Fraction exact_fraction(double value) {
  constexpr int kDigits = 53;
  int exponent = 0;
  const double digits = std::ldexp(std::frexp(value, &exponent), kDigits);
  exponent -= kDigits;
  Fraction fraction{static_cast<std::uint64_t>(digits), 1};
  if (exponent >= 0) {
    fraction.numerator <<= static_cast<unsigned>(exponent);
  } else {
    fraction.denominator <<= static_cast<unsigned>(-exponent);
  }
  return fraction;
}

BigInteger draw_below(const BigInteger& limit, RandomSource& random) {
  if (limit == 1) return 0;
  const auto bits = static_cast<unsigned>(msb(limit)) + 1;
  while (true) {
    BigInteger candidate = draw_bits(bits, random);
    if (candidate < limit) return candidate;
  }
}

bool draw_exponential_coin(const Fraction& exponent, RandomSource& random) {
  BigInteger whole = exponent.numerator / exponent.denominator;
  for (; whole > 0; --whole) {
    if (!draw_small_exponential_coin({1, 1}, random)) return false;
  }
  const BigInteger rest = exponent.numerator % exponent.denominator;
  return draw_small_exponential_coin({rest, exponent.denominator}, random);
}

}  // namespace sotto::mechanisms
