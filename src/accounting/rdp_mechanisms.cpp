#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>

#include "accounting/infinity.h"
#include "accounting/rdp.h"
#include "core/log_math.h"
#include "sotto/core/error.h"

namespace sotto::accounting {

namespace {

// Outcomes with probabilities p and q, and how many there are of that kind.
struct Outcome {
  double p;
  double q;
  double count;
};

// ln Σ count p^α q^{1-α} / (α-1).
double renyi_divergence(std::initializer_list<Outcome> outcomes, double alpha) {
  double log_sum = -kInfinity;
  for (const auto& [p, q, count] : outcomes) {
    if (p == 0 || count == 0) continue;
    if (q == 0) return kInfinity;
    log_sum = log_add(log_sum, std::log(count) + alpha * std::log(p) + (1 - alpha) * std::log(q));
  }
  return std::max(log_sum / (alpha - 1), 0.0);
}

struct ResponseProbabilities {
  double own;    // the true value is reported
  double other;  // one given other value is reported
};

ResponseProbabilities response_probabilities(double noise_probability, int buckets) {
  const double other = noise_probability / buckets;
  return {1 - noise_probability + other, other};
}

}  // namespace

double rdp_laplace(double scale, double alpha) {
  check_argument(alpha > 1, "order must be above 1, got ", alpha);
  if (scale == 0) return kInfinity;
  // ln(α/(2α-1) e^{(α-1)/b} + (α-1)/(2α-1) e^{-α/b}) / (α-1).
  const double log_denominator = std::log(2 * alpha - 1);
  const double log_sum = log_add(std::log(alpha) - log_denominator + (alpha - 1) / scale,
                                 std::log(alpha - 1) - log_denominator - alpha / scale);
  return std::max(log_sum / (alpha - 1), 0.0);
}

double rdp_randomized_response_replace_one(double noise_probability, int buckets, double alpha) {
  const auto [own, other] = response_probabilities(noise_probability, buckets);
  return renyi_divergence(
      {{own, other, 1}, {other, own, 1}, {other, other, static_cast<double>(buckets - 2)}}, alpha);
}

double rdp_randomized_response_zero_out(double noise_probability, int buckets, double alpha) {
  const auto [own, other] = response_probabilities(noise_probability, buckets);
  const double uniform = 1.0 / buckets;
  const auto others = static_cast<double>(buckets - 1);
  return std::max(renyi_divergence({{own, uniform, 1}, {other, uniform, others}}, alpha),
                  renyi_divergence({{uniform, own, 1}, {uniform, other, others}}, alpha));
}

double rdp_pure(double epsilon, double alpha) {
  if (std::isinf(epsilon)) return kInfinity;
  // In logs, so that no ε overflows: p = e^ε/(1+e^ε), and the other way round.
  const double log_low = -log_add(0, epsilon);
  const double log_high = epsilon + log_low;
  const double log_sum =
      log_add(alpha * log_high + (1 - alpha) * log_low, alpha * log_low + (1 - alpha) * log_high);
  return std::max(log_sum / (alpha - 1), 0.0);
}

}  // namespace sotto::accounting
