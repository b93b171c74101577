// The standard normal distribution, accurate in both tails.
#pragma once

namespace sotto {

// Pr[Z <= x].
double normal_cdf(double x);

// ln Pr[Z <= x], finite and accurate to a few ulp even where the probability underflows.
double log_normal_cdf(double x);

// x with Pr[Z > x] = tail. REQUIRES: 0 < tail < 1.
double normal_upper_quantile(double tail);

}  // namespace sotto
