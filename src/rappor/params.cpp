#include "sotto/rappor/params.h"

#include <cmath>
#include <limits>

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

// Nothing is subtracted that was rounded before: 1 - p is exact, and all terms are positive.
long double log_odds(const Params& params, double rate) {
  const long double f = params.f();
  const long double p = params.p();
  const long double q = params.q();
  const long double one = f * (p + q) / 2 + (1 - f) * rate;
  const long double zero =
      f * ((1 - p) + (1 - q)) / 2 + (1 - f) * (1 - static_cast<long double>(rate));
  return std::log(one) - std::log(zero);
}

// h times `difference`, rounded up beyond all that rounding may have taken from it: no logarithm
// above is larger than 40, so that each is off by less than 48 units, relative errors of what it is
// taken of included.
double upper_bound(long double difference, std::uint32_t hashes) {
  const long double slack = 256 * std::numeric_limits<long double>::epsilon();
  const auto nearest = static_cast<double>(hashes * (difference + slack));
  return std::nextafter(nearest, std::numeric_limits<double>::infinity());
}

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
  if (params.p() == params.q() || params.f() == 1) return 0;
  const long double difference = log_odds(params, params.q()) - log_odds(params, params.p());
  return upper_bound(std::abs(difference), params.hashes());
}

double epsilon_infinity(const Params& params) {
  if (params.f() == 1) return 0;
  const long double flipped = static_cast<long double>(params.f()) / 2;
  return upper_bound(2 * (std::log1p(-flipped) - std::log(flipped)), params.hashes());
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
