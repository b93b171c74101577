#include "sotto/accounting/theorems.h"

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>

#include "core/log_math.h"
#include "core/normal.h"
#include "sotto/core/error.h"

namespace sotto::accounting {

namespace {

void check_delta(double delta) {
  check_argument(delta > 0 && delta < 1, "delta must be in (0, 1), got ", delta);
}

// The right end of a tight bracket around the zero of a decreasing function.
template <typename Function>
double right_of_zero(Function decreasing, double low, double high) {
  const double at_low = decreasing(low);
  const double at_high = decreasing(high);
  if (at_low <= 0) return low;
  if (at_high >= 0) return high;
  std::uintmax_t iterations = 200;
  const auto bracket =
      boost::math::tools::toms748_solve(decreasing, low, high, at_low, at_high,
                                        boost::math::tools::eps_tolerance<double>(50), iterations);
  return bracket.second;
}

constexpr double kRoundUp = 1 + 1e-13;

}  // namespace

double gaussian_log_delta(double sigma, double epsilon) {
  const double half = 1 / (2 * sigma);
  const double log_p = log_normal_cdf(half - epsilon * sigma);
  const double log_q = epsilon + log_normal_cdf(-half - epsilon * sigma);
  return log_p + log1m_exp(std::min(log_q - log_p, 0.0));
}

double gaussian_delta(double sigma, double epsilon) {
  return std::exp(gaussian_log_delta(sigma, epsilon));
}

double gaussian_epsilon(double sigma, double delta) {
  check_argument(sigma > 0, "sigma must be positive, got ", sigma);
  check_delta(delta);
  const double log_delta = std::log(delta);
  // Rényi bound: an ε that is surely enough.
  const double enough = (1 / (2 * sigma) + std::sqrt(-2 * log_delta)) / sigma;
  // Below this the exact formula subtracts numbers of size 1/σ² and more; the bound is as good.
  if (sigma < kSmallestExactSigma) return kRoundUp * enough;
  const auto excess = [&](double epsilon) {
    return gaussian_log_delta(sigma, epsilon) - log_delta;
  };
  return kRoundUp * right_of_zero(excess, 0.0, enough);
}

double gaussian_sigma(const EpsilonDelta& target) {
  check_argument(target.epsilon > 0, "epsilon must be positive, got ", target.epsilon);
  check_delta(target.delta);
  const double log_delta = std::log(target.delta);
  const auto excess = [&](double log_sigma) {
    return gaussian_log_delta(std::exp(log_sigma), target.epsilon) - log_delta;
  };
  double high = 0;
  while (excess(high) > 0) high += 2;
  double low = high - 2;
  while (excess(low) < 0) low -= 2;
  return kRoundUp * std::exp(right_of_zero(excess, low, high));
}

double classic_gaussian_sigma(const EpsilonDelta& target) {
  check_argument(target.epsilon > 0, "epsilon must be positive, got ", target.epsilon);
  check_delta(target.delta);
  if (target.epsilon > 1) {
    throw NoValidAnalysis(
        detail::join_message("the classic Gaussian mechanism is proved for epsilon at most 1, got ",
                             target.epsilon, "; use the analytic one"));
  }
  return std::sqrt(2 * std::log(1.25 / target.delta)) / target.epsilon;
}

}  // namespace sotto::accounting
