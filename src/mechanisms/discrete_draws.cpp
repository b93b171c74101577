#include "mechanisms/discrete_draws.h"

#include <algorithm>

namespace sotto::mechanisms {

namespace {

// Geometric with Pr[x] proportional to e^(-x / steps), for a whole number of steps.
BigInteger draw_geometric(const BigInteger& steps, RandomSource& random) {
  BigInteger below = draw_below(steps, random);
  while (!draw_exponential_coin({below, steps}, random)) below = draw_below(steps, random);
  BigInteger above = 0;
  while (draw_exponential_coin({1, 1}, random)) ++above;
  return below + steps * above;
}

}  // namespace

// Algorithm 2.
BigInteger draw_discrete_laplace(const Fraction& scale, RandomSource& random) {
  while (true) {
    BigInteger size = draw_geometric(scale.numerator, random) / scale.denominator;
    const bool negative = draw_below(2, random) == 1;
    if (negative && size == 0) continue;  // or 0 would come up twice as often
    return negative ? BigInteger(-size) : size;
  }
}

// Algorithm 3: discrete Laplace of scale t = ⌊σ⌋ + 1, accepted with probability
// e^(-(|x| - σ²/t)² / (2σ²)).
BigInteger draw_discrete_gaussian(const Fraction& variance, RandomSource& random) {
  const auto& [a, b] = variance;  // σ² = a/b
  const BigInteger t = sqrt(BigInteger(a / b)) + 1;
  while (true) {
    BigInteger candidate = draw_discrete_laplace({t, 1}, random);
    const BigInteger size = candidate < 0 ? BigInteger(-candidate) : candidate;
    const BigInteger distance = size * b * t - a;
    if (draw_exponential_coin({distance * distance, 2 * a * b * t * t}, random)) return candidate;
  }
}

std::int64_t within_limits(const BigInteger& value) {
  const BigInteger limit = BigInteger(1) << 62U;
  const BigInteger inside = std::clamp(value, BigInteger(-limit), limit);
  return static_cast<std::int64_t>(inside);
}

}  // namespace sotto::mechanisms
