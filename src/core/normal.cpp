#include "core/normal.h"

#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

namespace sotto {

namespace {

// Mills' ratio Pr[Z > x]/φ(x) by its continued fraction 1/(x + 1/(x + 2/(x + ...))), which
// converges fast for x >= 5.
double mills_ratio(double x) {
  double tail = x;
  for (int term = 60; term >= 1; --term) tail = x + term / tail;
  return 1 / tail;
}

}  // namespace

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

double log_normal_cdf(double x) {
  if (x > 0) return std::log1p(-normal_cdf(-x));
  if (x > -8) return std::log(normal_cdf(x));
  const double log_density = -0.5 * x * x - 0.5 * std::log(2 * std::numbers::pi);
  return log_density + std::log(mills_ratio(-x));
}

double normal_upper_quantile(double tail) {
  return std::numbers::sqrt2 * boost::math::erfc_inv(2 * tail);
}

}  // namespace sotto
