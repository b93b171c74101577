// Coins and dice without rounding: whole numbers only, so that every probability is exactly what
// it is said to be. The building blocks of Canonne, Kamath and Steinke 2020 (arXiv:2004.00010).
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include "sotto/core/random.h"

namespace sotto::mechanisms {

using BigInteger = boost::multiprecision::cpp_int;

// numerator / denominator, both >= 0, denominator > 0. Need not be in lowest terms.
struct Fraction {
  BigInteger numerator;
  BigInteger denominator;
};

// The fraction that a double is. REQUIRES: value >= 0, finite.
Fraction exact_fraction(double value);

// Uniform on {0, ..., limit - 1}. REQUIRES: limit > 0.
BigInteger draw_below(const BigInteger& limit, RandomSource& random);

// True with probability exactly e^-exponent (Algorithm 1 of the paper).
bool draw_exponential_coin(const Fraction& exponent, RandomSource& random);

}  // namespace sotto::mechanisms
