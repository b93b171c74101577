#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "accounting/infinity.h"
#include "accounting/rdp.h"
#include "core/log_math.h"
#include "sotto/core/error.h"

namespace sotto::accounting {

namespace {

// ln E_Q[(P/Q - 1)^n] for P = N(1, σ²), Q = N(0, σ²) and even n: the n-th forward difference of
// e^{cumulants} in the theorem. Summed there with alternating signs, here integrated: every term is
// positive, so nothing cancels. Infinite, which bounds it, where σ is so small that the integral
// would need too many points; there the loose form is as good.
double log_even_central_moment(double sigma, int n) {
  const double step = std::min(sigma, sigma * sigma) / 4;
  const double low = -13 * sigma;
  const double high = n + 13 * sigma;
  if ((high - low) / step > 20000) return kInfinity;
  std::vector<double> terms;
  const auto points = static_cast<int>((high - low) / step);
  for (int i = 0; i <= points; ++i) {
    const double z = low + i * step;
    const double x = (2 * z - 1) / (2 * sigma * sigma);
    const double log_gap = x > 30 ? x : std::log(std::abs(std::expm1(x)));
    terms.push_back(n * log_gap - z * z / (2 * sigma * sigma));
  }
  return log_sum_exp(terms) + std::log(step) - std::log(sigma * std::sqrt(2 * std::numbers::pi));
}

// The moments of order 2, 4, ..., shared by all orders α at one σ.
class EvenMoments {
 public:
  explicit EvenMoments(double sigma) : sigma_(sigma) {}

  double sigma() const { return sigma_; }
  double operator()(int order) {
    for (int next = 2 * static_cast<int>(log_moments_.size()) + 2; next <= order; next += 2) {
      log_moments_.push_back(log_even_central_moment(sigma_, next));
    }
    return log_moments_[static_cast<std::size_t>(order / 2 - 1)];
  }

 private:
  double sigma_;
  std::vector<double> log_moments_;
};

EvenMoments& even_moments_for(double sigma) {
  thread_local EvenMoments latest(sigma);
  if (latest.sigma() != sigma) latest = EvenMoments(sigma);
  return latest;
}

// ln of the bound on E[(P'/Q')^α], integer α >= 2, from arXiv:1808.00087, Theorem 27 with the
// ternary-|χ|^α terms of its Gaussian case (ε(∞) = ∞).
double log_moment_bound(double q, double sigma, int alpha) {
  const auto log_moment = [&](double order) { return order * (order - 1) / (2 * sigma * sigma); };
  EvenMoments& even_moment = even_moments_for(sigma);
  const double log4 = 2 * std::numbers::ln2;
  double log_sum = 0;
  for (int j = 2; j <= alpha; ++j) {
    const double loose = std::numbers::ln2 + log_moment(j);
    double tight = kInfinity;
    if (j == 2) tight = log4 + log_moment(2) + log1m_exp(-log_moment(2));
    // Odd moments by Cauchy-Schwarz from their even neighbours. Past this order the loose form
    // is as good.
    constexpr int kLastTightOrder = 256;
    if (j > 2 && alpha <= kLastTightOrder) {
      tight = log4 + 0.5 * (even_moment(2 * (j / 2)) + even_moment(2 * ((j + 1) / 2)));
    }
    log_sum = log_add(log_sum, std::min(tight, loose) + j * std::log(q) + log_binomial(alpha, j));
  }
  return log_sum;
}

}  // namespace

double rdp_fixed_size_gaussian(double sample_rate, double sigma, double alpha) {
  check_argument(sample_rate > 0 && sample_rate <= 1, "sample rate must be in (0, 1], got ",
                 sample_rate);
  const double unsampled = rdp_gaussian(sigma, alpha);
  if (sample_rate == 1 || std::isinf(unsampled)) return unsampled;
  constexpr double kLargestOrder = 1e5;
  if (alpha > kLargestOrder) return unsampled;
  const auto below = static_cast<int>(std::floor(alpha));
  const double fraction = alpha - below;
  const double log_below = below >= 2 ? log_moment_bound(sample_rate, sigma, below) : 0;
  const double log_above = fraction > 0 ? log_moment_bound(sample_rate, sigma, below + 1) : 0;
  const double interpolated = (1 - fraction) * log_below + fraction * log_above;
  return std::min(interpolated / (alpha - 1), unsampled);
}

}  // namespace sotto::accounting
