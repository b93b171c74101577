// The samplers of Canonne, Kamath and Steinke 2020 (arXiv:2004.00010), in whole numbers.
#pragma once

#include <cstdint>

#include "mechanisms/exact_coin.h"

namespace sotto::mechanisms {

// Pr[x] proportional to e^(-|x| / scale). REQUIRES: scale > 0.
BigInteger draw_discrete_laplace(const Fraction& scale, RandomSource& random);

// Pr[x] proportional to e^(-x² / (2 variance)). REQUIRES: variance > 0.
BigInteger draw_discrete_gaussian(const Fraction& variance, RandomSource& random);

// Moved to ±2^62 if it lies beyond.
std::int64_t within_limits(const BigInteger& value);

}  // namespace sotto::mechanisms
