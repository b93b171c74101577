#include "runs/share_interval.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>

namespace sotto::runs {

Interval clopper_pearson(std::int64_t successes, std::int64_t trials) {
  using Binomial = boost::math::binomial_distribution<double>;
  constexpr double kEachSide = (1 - kConfidence) / 2;
  const auto n = static_cast<double>(trials);
  const auto k = static_cast<double>(successes);
  return {Binomial::find_lower_bound_on_p(n, k, kEachSide),
          Binomial::find_upper_bound_on_p(n, k, kEachSide)};
}

Interval wilson(double share, double trials) {
  const double square = kTwoSidedQuantile * kTwoSidedQuantile;
  const double shrunk = 1 + square / trials;
  const double centre = (share + square / (2 * trials)) / shrunk;
  const double half = kTwoSidedQuantile / shrunk *
                      std::sqrt(share * (1 - share) / trials + square / (4 * trials * trials));
  return {std::max(0.0, centre - half), std::min(1.0, centre + half)};
}

}  // namespace sotto::runs
