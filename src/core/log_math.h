// Arithmetic on logarithms of non-negative numbers; log(0) is -infinity throughout.
#pragma once

#include <span>

namespace sotto {

// ln(e^a + e^b).
double log_add(double a, double b);

// ln(e^a - e^b). REQUIRES: a >= b. Equal arguments give -infinity.
double log_sub(double a, double b);

// ln Σ e^{x_i}; -infinity for an empty range.
double log_sum_exp(std::span<const double> values);

// ln(1 - e^x) without cancellation. REQUIRES: x <= 0.
double log1m_exp(double x);

// ln(1 - q + q e^x) for q in (0, 1]: the log-likelihood ratio of a mixture. Accurate for small q
// and for x of any size.
double log_mix_exp(double q, double x);
// Its inverse: the x with ln(1 - q + q e^x) = l; -∞ where l is ln(1-q), as far as doubles tell.
double log_unmix_exp(double q, double l);

// ln C(n, k) for real n >= k >= 0 (through lgamma: no overflow at any order).
double log_binomial(double n, double k);

}  // namespace sotto
