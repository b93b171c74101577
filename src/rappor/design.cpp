#include "rappor/design.h"

#include <algorithm>
#include <cmath>
#include <string>

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

// The least probabilities beside 0 that Params accepts and the profile does not round to 0.
double least_f(Profile profile) { return profile == Profile::kSotto ? 0.001 : 1.0 / 128; }
double least_p(Profile profile) { return profile == Profile::kGoogleCpp ? 1.0 / 256 : 0.001; }

// Rounding errors are nothing, other small numbers make more noise than needed. Without a permanent
// response p = 0 would make every reported 1 conclusive.
double drawable(double p, double f, Profile profile) {
  return p < 1e-12 && f > 0 ? 0 : std::max(p, least_p(profile));
}

// Parameters for `share` of the target, up to rounding.
Params aimed_params(const DesignTarget& target, double share) {
  const auto hashes = static_cast<double>(target.hashes);
  const double f = target.epsilon_infinity
                       ? std::max(2 * logistic(-share * *target.epsilon_infinity / (2 * hashes)),
                                  least_f(target.profile))
                       : 0;
  const double c = (2 - f) / f;
  const double odds_ratio = std::min(std::exp(share * target.epsilon_one / hashes), c * c);
  const auto [p_star, q_star] = best_rates(odds_ratio, c);
  // Solves p* = f(p+q)/2 + (1-f)p and q* = f(p+q)/2 + (1-f)q, where p + q = p* + q*.
  const double randomised = f * (p_star + q_star) / 2;
  const double p =
      drawable(std::clamp((p_star - randomised) / (1 - f), 0.0, 1.0), f, target.profile);
  const double q = std::clamp((q_star - randomised) / (1 - f), 0.0, 1.0);
  return Params({.bits = target.bits,
                 .hashes = target.hashes,
                 .cohorts = target.cohorts,
                 .f = f,
                 .p = p,
                 .q = q});
}

bool keeps_to(const DesignTarget& target, const Params& params) {
  const Params executed = executed_params(params, target.profile);
  return epsilon_one(executed) <= target.epsilon_one &&
         (!target.epsilon_infinity || epsilon_infinity(executed) <= *target.epsilon_infinity);
}

}  // namespace

Params designed_params(const DesignTarget& target) {
  check_argument(target.epsilon_one > 0 && std::isfinite(target.epsilon_one),
                 "ε₁ must be above 0, got ", target.epsilon_one);
  const double bound = target.epsilon_infinity.value_or(HUGE_VAL);
  check_argument(bound >= target.epsilon_one, "ε∞ must be at least ε₁ = ", target.epsilon_one,
                 ", got ", bound);
  // A little less is aimed at until what is stated for these coins, rounded up, is within the
  // target.
  double slack = 1e-15;
  while (slack < 0.5) {
    const Params params = aimed_params(target, 1 - slack);
    if (keeps_to(target, params)) return params;
    slack *= 1.25;
  }
  throw InvalidArgument("no coins of profile " + std::string(profile_name(target.profile)) +
                        " give at most this ε and more than half of it");
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
