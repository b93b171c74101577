#include "sotto/rappor/params.h"

#include <cmath>

#include "sotto/core/error.h"

namespace sotto::rappor {

namespace {

std::uint32_t checked_count(std::int64_t value, std::int64_t most, const char* name) {
  check_argument(value >= 1 && value <= most, name, " must be a whole number from 1 to ", most,
                 ", got ", value);
  return static_cast<std::uint32_t>(value);
}

double checked_probability(double value, const char* name) {
  check_argument(value >= 0 && value <= 1, name, " must be in [0, 1], got ", value);
  // Coins have 64 binary digits: below, a double may have more, and ε would be of another coin.
  constexpr double kLeast = 0.001;
  check_argument(value == 0 || value >= kLeast, name, " must be 0 or at least ", kLeast, ", got ",
                 value);
  return value;
}

double log_odds(double probability) { return std::log(probability) - std::log1p(-probability); }

double rounded_down(double value, double steps) { return std::floor(value * steps) / steps; }

}  // namespace

Params::Params(const ParamsFields& fields)
    : bits_(checked_count(fields.bits, kMostBits, "k (bits)")),
      hashes_(checked_count(fields.hashes, kMostHashes, "h (hashes)")),
      cohorts_(checked_count(fields.cohorts, kMostCohorts, "m (cohorts)")),
      f_(checked_probability(fields.f, "f")),
      p_(checked_probability(fields.p, "p")),
      q_(checked_probability(fields.q, "q")) {
  check_argument(fields.bits * fields.cohorts <= kMostCells, "k × m must be at most ", kMostCells,
                 ", got ", fields.bits, " × ", fields.cohorts);
}

ReportedRates reported_rates(const Params& params) {
  const double randomised = params.f() * (params.p() + params.q()) / 2;
  return {randomised + (1 - params.f()) * params.p(), randomised + (1 - params.f()) * params.q()};
}

double epsilon_one(const Params& params) {
  const auto [p_star, q_star] = reported_rates(params);
  if (p_star == q_star) return 0;
  return params.hashes() * std::abs(log_odds(q_star) - log_odds(p_star));
}

double epsilon_infinity(const Params& params) {
  return params.f() == 1 ? 0 : -2.0 * params.hashes() * log_odds(params.f() / 2);
}

Params executed_params(const Params& params, Profile profile) {
  ParamsFields fields{params.bits(), params.hashes(), params.cohorts(),
                      params.f(),    params.p(),      params.q()};
  if (profile != Profile::kSotto) fields.f = rounded_down(params.f(), 128);
  if (profile == Profile::kGoogleCpp) {
    fields.p = rounded_down(params.p(), 256);
    fields.q = rounded_down(params.q(), 256);
  }
  return Params(fields);
}

}  // namespace sotto::rappor
