#include "rappor/design.h"

#include <algorithm>
#include <cmath>

#include "core/normal.h"
#include "sotto/core/error.h"

namespace sotto::rappor {

namespace {

double logistic(double log_odds) { return 1 / (1 + std::exp(-log_odds)); }

// Least p*(1-p*)/(q*-p*)² for the odds ratio R of q* and p*. Any R <= c² can be had; p >= 0 means
// q*/p* <= c.
ReportedRates best_rates(double odds_ratio, double c) {
  if ((1 + odds_ratio) / 2 <= c) return {1 / (1 + odds_ratio), 0.5};
  const double p_star = (odds_ratio - c) / (c * (odds_ratio - 1));
  return {p_star, c * p_star};
}

// What Params accepts: rounding errors are nothing, other small numbers make more noise than
// needed.
double drawable(double p) { return p < 1e-12 ? 0 : std::max(p, 0.001); }

}  // namespace

Params designed_params(const DesignTarget& target) {
  const double epsilon = target.epsilon_one;
  check_argument(epsilon > 0 && std::isfinite(epsilon), "ε₁ must be above 0, got ", epsilon);
  const double bound = target.epsilon_infinity.value_or(HUGE_VAL);
  check_argument(bound >= epsilon, "ε∞ must be at least ε₁ = ", epsilon, ", got ", bound);
  const auto hashes = static_cast<double>(target.hashes);
  const double f = target.epsilon_infinity ? 2 * logistic(-bound / (2 * hashes)) : 0;
  const auto [p_star, q_star] = best_rates(std::exp(epsilon / hashes), (2 - f) / f);
  // Solves p* = f(p+q)/2 + (1-f)p and q* = f(p+q)/2 + (1-f)q, where p + q = p* + q*.
  const double randomised = f * (p_star + q_star) / 2;
  const double p = drawable(std::clamp((p_star - randomised) / (1 - f), 0.0, 1.0));
  const double q = std::clamp((q_star - randomised) / (1 - f), 0.0, 1.0);
  return Params({.bits = target.bits,
                 .hashes = target.hashes,
                 .cohorts = target.cohorts,
                 .f = f,
                 .p = p,
                 .q = q});
}

DetectionLimit detection_limit(const Params& params, double reports, double candidates,
                               double alpha) {
  const auto [p_star, q_star] = reported_rates(params);
  check_argument(p_star != q_star, "reports carry no information: p = q, or f = 1");
  // h cells in each of m cohorts of N/m reports.
  const double error =
      std::sqrt(p_star * (1 - p_star) / (params.hashes() * reports)) / std::abs(q_star - p_star);
  const double frequency = normal_upper_quantile(alpha / candidates) * error;
  return {frequency, frequency * reports};
}

}  // namespace sotto::rappor
