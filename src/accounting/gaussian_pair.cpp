#include "accounting/gaussian_pair.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "accounting/infinity.h"
#include "core/log_math.h"
#include "core/normal.h"
#include "core/unit_roundoff.h"
#include "sotto/core/error.h"

namespace sotto::accounting {

namespace {

// ln of the mixture's density over that of N(0, 1), and its derivative in z.
struct LogRatio {
  double value;
  double slope;
};

LogRatio log_ratio(const std::vector<GaussianComponent>& mixture, double z) {
  double high = -std::numeric_limits<double>::infinity();
  for (const auto& c : mixture) high = std::max(high, c.log_weight + c.mean * (z - c.mean / 2));
  double sum = 0;
  double weighted_mean = 0;
  for (const auto& c : mixture) {
    const double term = std::exp(c.log_weight + c.mean * (z - c.mean / 2) - high);
    sum += term;
    weighted_mean += term * c.mean;
  }
  return {high + std::log(sum), weighted_mean / sum};
}

struct Sides {
  double below;
  double above;
};

Sides sides(const std::vector<GaussianComponent>& mixture, double z) {
  Sides result{0, 0};
  for (const auto& c : mixture) {
    const double weight = std::exp(c.log_weight);
    const double distance = z - c.mean;
    const double tail = 0.5 * std::erfc(std::abs(distance) / std::numbers::sqrt2);
    result.below += weight * (distance < 0 ? tail : 1 - tail);
    result.above += weight * (distance < 0 ? 1 - tail : tail);
  }
  return result;
}

Range mean_range(const std::vector<GaussianComponent>& mixture) {
  const auto [low, high] = std::minmax_element(
      mixture.begin(), mixture.end(), [](const auto& a, const auto& b) { return a.mean < b.mean; });
  return {low->mean, high->mean};
}

// asinh(e^u) without overflow.
double asinh_exp(double u) { return u > 20 ? u + std::numbers::ln2 : std::asinh(std::exp(u)); }

}  // namespace

GaussianMixturePair::GaussianMixturePair(std::vector<GaussianComponent> p,
                                         std::vector<GaussianComponent> q)
    : p_(std::move(p)), q_(std::move(q)) {
  check_argument(!p_.empty() && !q_.empty(), "a mixture needs at least one component");
  check_argument(mean_range(p_).low >= mean_range(q_).high,
                 "the means of P must not lie below the means of Q");
  for (const auto* mixture : {&p_, &q_}) {
    for (const auto& component : *mixture) {
      largest_mean_ = std::max(largest_mean_, std::abs(component.mean));
      largest_log_weight_ = std::max(largest_log_weight_, std::abs(component.log_weight));
    }
  }
}

double GaussianMixturePair::loss(double z) const {
  return log_ratio(p_, z).value - log_ratio(q_, z).value;
}

double GaussianMixturePair::point_at_loss(double loss) const {
  // Bracket by doubling, then Newton steps that fall back to bisection. Beyond ±1e8 standard
  // deviations nothing has mass: a loss outside the pair's range ends there.
  constexpr double kFar = 1e8;
  double low = -1;
  double high = 1;
  while (low > -kFar && this->loss(low) > loss) low *= 2;
  while (high < kFar && this->loss(high) < loss) high *= 2;
  double z = (low + high) / 2;
  for (int iteration = 0; iteration < 200 && high - low > 1e-15 * (1 + std::abs(z)); ++iteration) {
    const LogRatio p = log_ratio(p_, z);
    const LogRatio q = log_ratio(q_, z);
    const double excess = p.value - q.value - loss;
    (excess > 0 ? high : low) = z;
    const double newton = z - excess / (p.slope - q.slope);
    if (newton == z) break;
    z = newton > low && newton < high ? newton : (low + high) / 2;
  }
  return z;
}

Cut GaussianMixturePair::cut(double z) const {
  const Sides p = sides(p_, z);
  const Sides q = sides(q_, z);
  return {{p.below, q.below}, {p.above, q.above}};
}

// With u the unit roundoff and d a distance from a mean: erfc errs by 8 ulp, 16 u; its argument by
// 3 u, which changes it by a factor of x erfc'(x)/erfc(x) <= 2x² + 1 = d² + 1 times that; the
// weight's exponential by 4 u and the rounding of its exponent; the sum over components by their
// number.
double GaussianMixturePair::cut_error(double z) const {
  const double distance = std::abs(z) + largest_mean_;
  const auto components = static_cast<double>(std::max(p_.size(), q_.size()));
  // Weights of groups are made of log-gammas: see binomial_components().
  const double of_weights = components > 2 ? 1e-12 : 0;
  return of_weights +
         kUnitRoundoff * (32 + 3 * distance * distance + 4 * largest_log_weight_ + components);
}

// Each exponent, mean·(z - mean/2) + log_weight, errs by 4 u of its terms, and so do both
// logarithms of sums, whose derivatives are at most 1; logarithms and exponentials add a few u.
double GaussianMixturePair::loss_error(double z) const {
  const double terms = largest_mean_ * (std::abs(z) + largest_mean_) + largest_log_weight_;
  return kUnitRoundoff * (32 + 16 * terms);
}

Range GaussianMixturePair::central_range(double tail_mass) const {
  const double reach = normal_upper_quantile(tail_mass);
  return {mean_range(q_).low - reach, mean_range(p_).high + reach};
}

Range GaussianMixturePair::loss_limits() const {
  // Far out only the outermost component of each mixture counts; equal means leave the weights.
  const auto by_mean = [](const auto& a, const auto& b) { return a.mean < b.mean; };
  const auto [p_low, p_high] = std::minmax_element(p_.begin(), p_.end(), by_mean);
  const auto [q_low, q_high] = std::minmax_element(q_.begin(), q_.end(), by_mean);
  return {p_low->mean == q_low->mean ? p_low->log_weight - q_low->log_weight : -kInfinity,
          p_high->mean == q_high->mean ? p_high->log_weight - q_high->log_weight : kInfinity};
}

PoissonGaussianPair::PoissonGaussianPair(double sample_rate, double shift)
    : GaussianMixturePair(binomial_components(1, sample_rate, shift), {{0, 0}}),
      sample_rate_(sample_rate),
      shift_(shift) {}

double PoissonGaussianPair::loss(double z) const {
  return log_mix_exp(sample_rate_, shift_ * (z - shift_ / 2));
}

double PoissonGaussianPair::point_at_loss(double loss) const {
  // e^l = 1 - q + q e^x  <=>  x = ln((e^l - 1 + q)/q).
  if (sample_rate_ < 1 && loss <= std::log1p(-sample_rate_)) {
    return -std::numeric_limits<double>::infinity();
  }
  return log_unmix_exp(sample_rate_, loss) / shift_ + shift_ / 2;
}

PoissonReplaceGaussianPair::PoissonReplaceGaussianPair(double sample_rate, double shift)
    : GaussianMixturePair(binomial_components(1, sample_rate, shift),
                          binomial_components(1, sample_rate, -shift)),
      sample_rate_(sample_rate),
      shift_(shift) {}

double PoissonReplaceGaussianPair::point_at_loss(double loss) const {
  // With t = shift·z and a = e^{-shift²/2}, e^l = (1-q+qa e^t)/(1-q+qa e^{-t}) is
  // qa sinh(t - l/2) = (1-q) sinh(l/2).
  const double magnitude = std::abs(loss) / 2;
  const double log_sinh = magnitude + std::log(-std::expm1(-2 * magnitude)) - std::numbers::ln2;
  const double u =
      std::log1p(-sample_rate_) - std::log(sample_rate_) + shift_ * shift_ / 2 + log_sinh;
  return std::copysign(magnitude + asinh_exp(u), loss) / shift_;
}

std::vector<GaussianComponent> binomial_components(int k, double sample_rate, double shift) {
  std::vector<GaussianComponent> components;
  for (int j = sample_rate < 1 ? 0 : k; j <= k; ++j) {
    const double log_weight = log_binomial(k, j) + j * std::log(sample_rate) +
                              (j < k ? (k - j) * std::log1p(-sample_rate) : 0.0);
    components.push_back({log_weight, j * shift});
  }
  // lgamma leaves a relative error of some 1e-13 for large k; the weights must sum to 1.
  double total = 0;
  for (const auto& component : components) total += std::exp(component.log_weight);
  for (auto& component : components) component.log_weight -= std::log(total);
  return components;
}

}  // namespace sotto::accounting
