#include "core/log_math.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace sotto {

namespace {
constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

// glibc's lgamma writes the global `signgam`; the re-entrant form keeps threads apart.
double log_gamma(double x) {
  int sign = 0;
  return lgamma_r(x, &sign);
}
}  // namespace

double log_add(double a, double b) {
  const double high = std::max(a, b);
  if (std::isinf(high)) return high;
  return high + std::log1p(std::exp(std::min(a, b) - high));
}

double log_sub(double a, double b) {
  if (b == kMinusInfinity) return a;
  return a + log1m_exp(b - a);
}

double log_sum_exp(std::span<const double> values) {
  if (values.empty()) return kMinusInfinity;
  const double high = *std::max_element(values.begin(), values.end());
  if (std::isinf(high)) return high;
  double sum = 0;
  for (const double value : values) sum += std::exp(value - high);
  return high + std::log(sum);
}

double log1m_exp(double x) {
  // Mächler 2012: switch at ln 2 so that neither branch cancels.
  return x > -std::numbers::ln2 ? std::log(-std::expm1(x)) : std::log1p(-std::exp(x));
}

double log_mix_exp(double q, double x) {
  constexpr double kNoOverflow = 600;
  if (q == 1) return x;
  // Close to ln(1-q): 1 - q is exact, and nothing is left of 1 - (1 - ...).
  if (q > 0.5 && x < -0.5) return std::log((1 - q) + q * std::exp(x));
  return x < kNoOverflow ? std::log1p(q * std::expm1(x))
                         : x + std::log(q) + std::log1p((1 - q) / q * std::exp(-x));
}

double log_unmix_exp(double q, double l) {
  constexpr double kLarge = 30;
  if (q == 1) return l;
  // Close to ln(1-q), as above.
  if (q > 0.5 && l < -0.5) return std::log(std::max(std::exp(l) - (1 - q), 0.0)) - std::log(q);
  const double scaled = l < kLarge ? std::log(std::max(std::expm1(l) + q, 0.0))
                                   : l + std::log1p((q - 1) * std::exp(-l));
  return scaled - std::log(q);
}

double log_binomial(double n, double k) {
  return log_gamma(n + 1) - log_gamma(k + 1) - log_gamma(n - k + 1);
}

}  // namespace sotto
