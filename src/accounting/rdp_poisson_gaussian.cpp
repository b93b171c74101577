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

// ln(A - 1) for A = E_{z~N(0,σ²)}[(1-q+q e^{(2z-1)/2σ²})^α], integer α. Since the binomial weights
// sum to 1, A - 1 = Σ_{k>=2} C(α,k) (1-q)^{α-k} q^k (e^{(k²-k)/2σ²} - 1): positive terms only.
double log_excess_integer(double q, double sigma, double alpha) {
  const double log_q = std::log(q);
  const double log_rest = std::log1p(-q);
  double log_sum = -kInfinity;
  for (int i = 2; i <= static_cast<int>(alpha); ++i) {
    const double k = i;
    const double exponent = k * (k - 1) / (2 * sigma * sigma);
    const double log_growth =
        exponent < 30 ? std::log(std::expm1(exponent)) : exponent + log1m_exp(-exponent);
    log_sum =
        log_add(log_sum, log_binomial(alpha, k) + (alpha - k) * log_rest + k * log_q + log_growth);
  }
  return log_sum;
}

// (1+u)^α - 1 - αu >= 0 for u >= -1, without cancellation; `log_base` is ln(1+u).
double log_second_order_remainder(double u, double log_base, double alpha) {
  if (std::abs(alpha * u) < 1e-2) {
    // Binomial series from the second term: α(α-1)/2 u² (1 + (α-2)/3 u (1 + (α-3)/4 u (...))).
    double tail = 1;
    for (int k = 9; k >= 3; --k) tail = 1 + (alpha - k + 1) / k * u * tail;
    return std::log(alpha * (alpha - 1) / 2 * tail) + 2 * std::log(std::abs(u));
  }
  const double exponent = alpha * log_base;
  if (exponent < 30) return std::log(std::expm1(exponent) - alpha * u);
  // (1+u)^α outgrows the rest; alpha·u below it by construction.
  return exponent + std::log1p(-(1 + alpha * u) * std::exp(-exponent));
}

// The integrand at the points i·step, as far as it does not depend on the order. Kept between
// calls, since a whole grid of orders is asked for in a row.
class Nodes {
 public:
  struct Node {
    double u;         // q(e^x - 1), x = (2z-1)/2σ²
    double log_base;  // ln(1 + u)
    double exponent;  // -z²/2σ²
  };

  Nodes(double q, double sigma) : q_(q), sigma_(sigma), step_(std::min(sigma, sigma * sigma) / 4) {}

  bool are_for(double q, double sigma) const { return q == q_ && sigma == sigma_; }
  double step() const { return step_; }

  const Node& operator[](long i) {
    auto& side = i < 0 ? negative_ : positive_;
    const auto position = static_cast<std::size_t>(i < 0 ? -1 - i : i);
    while (side.size() <= position) {
      const auto next = static_cast<long>(side.size());
      side.push_back(at(static_cast<double>(i < 0 ? -1 - next : next) * step_));
    }
    return side[position];
  }

 private:
  Node at(double z) const {
    const double x = (2 * z - 1) / (2 * sigma_ * sigma_);
    const double u = x < 600 ? q_ * std::expm1(x) : kInfinity;
    return {u, log_mix_exp(q_, x), -z * z / (2 * sigma_ * sigma_)};
  }

  double q_;
  double sigma_;
  double step_;
  std::vector<Node> positive_;  // i = 0, 1, ...
  std::vector<Node> negative_;  // i = -1, -2, ...
};

Nodes& nodes_for(double q, double sigma) {
  thread_local Nodes latest(q, sigma);
  if (!latest.are_for(q, sigma)) latest = Nodes(q, sigma);
  return latest;
}

// The trapezoidal rule on [low, high] for the same A - 1 = E[(1+u)^α - 1 - αu], u = q(e^x - 1),
// E[u] = 0. The integrand is analytic for |Im z| < πσ², where it is bounded by its size on the real
// line times e^{(Im z)²/2σ²}, so steps of at most min(σ, σ²)/4 leave a relative error below e^-70
// (Trefethen and Weideman 2014, Theorem 5.1).
double log_trapezoid(double q, double sigma, double alpha, double low, double high) {
  Nodes& nodes = nodes_for(q, sigma);
  double largest = -kInfinity;
  double sum = 0;  // Σ terms / e^largest
  const auto last = static_cast<long>(std::ceil(high / nodes.step()));
  for (auto i = static_cast<long>(std::floor(low / nodes.step())); i <= last; ++i) {
    const Nodes::Node& node = nodes[i];
    if (node.u == 0) continue;
    const double remainder = std::isinf(node.u)
                                 ? alpha * node.log_base
                                 : log_second_order_remainder(node.u, node.log_base, alpha);
    const double term = remainder + node.exponent;
    if (!(term > largest - 60)) continue;
    if (term > largest) {
      sum = sum * std::exp(largest - term) + 1;
      largest = term;
    } else {
      sum += std::exp(term - largest);
    }
  }
  const double log_normaliser =
      std::log(nodes.step()) - std::log(sigma * std::sqrt(2 * std::numbers::pi));
  return largest + std::log(sum) + log_normaliser;
}

double log_excess_fractional(double q, double sigma, double alpha) {
  const double reach = 13 * sigma;
  const double whole_points = (alpha + 2 * reach) / (std::min(sigma, sigma * sigma) / 4);
  if (whole_points < 20000) return log_trapezoid(q, sigma, alpha, -reach, alpha + reach);
  // Small σ: the integrand is two bumps, near 0 and near α, and falls between them. Where even the
  // bumps take too many points, or σ is not small, leave it to the unsampled bound.
  const bool two_bumps = sigma < 0.5 && sigma > 0.005;
  if (!two_bumps) return kInfinity;
  return log_add(log_trapezoid(q, sigma, alpha, -reach, reach),
                 log_trapezoid(q, sigma, alpha, alpha - reach, alpha + reach));
}

}  // namespace

double rdp_gaussian(double sigma, double alpha) {
  check_argument(alpha > 1, "order must be above 1, got ", alpha);
  return sigma == 0 ? kInfinity : alpha / (2 * sigma * sigma);
}

double rdp_poisson_gaussian(double sample_rate, double sigma, double alpha) {
  check_argument(sample_rate >= 0 && sample_rate <= 1, "sample rate must be in [0, 1], got ",
                 sample_rate);
  if (sample_rate == 0) return 0;
  const double unsampled = rdp_gaussian(sigma, alpha);
  if (sample_rate == 1 || std::isinf(unsampled)) return unsampled;
  const bool integer = alpha == std::floor(alpha) && alpha <= 1e5;
  const double log_excess = integer ? log_excess_integer(sample_rate, sigma, alpha)
                                    : log_excess_fractional(sample_rate, sigma, alpha);
  // ln A = ln(1 + (A-1)). Sampling never hurts, so the unsampled value is a bound as well.
  return std::min(log_add(0, log_excess) / (alpha - 1), unsampled);
}

}  // namespace sotto::accounting
