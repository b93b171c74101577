#include "sweep/run_count.h"

#include <array>
#include <cmath>
#include <random>
#include <string>

#include "core/distributions.h"
#include "sotto/accounting/tuning.h"
#include "sotto/core/error.h"

namespace sotto::sweep {
namespace {

using accounting::RandomNumberOfRuns;

constexpr std::array kDistributions = {RunsDistribution::kGeometric, RunsDistribution::kLogarithmic,
                                       RunsDistribution::kPoisson};

RandomNumberOfRuns negative_binomial(const RandomCount& count) {
  return count.distribution() == RunsDistribution::kGeometric
             ? RandomNumberOfRuns::geometric(count.mean())
             : RandomNumberOfRuns::logarithmic(count.mean());
}

// The first k at which the sum of P(1), P(2), ... reaches a uniform number. For shape η,
// P(k + 1) = P(k) (1 - γ) (k + η) / (k + 1); P(1) is γ for η = 1, (1 - γ) / ln(1/γ) for η = 0.
std::int64_t drawn_from(const RandomNumberOfRuns& runs, RandomSource& random) {
  const double gamma = runs.success_probability();
  double probability = runs.shape() == 0 ? (1 - gamma) / -std::log(gamma) : gamma;
  double left = draw_uniform(random) - probability;
  std::int64_t k = 1;
  while (left > 0 && probability > 0) {
    const auto tried = static_cast<double>(k);
    probability *= (1 - gamma) * (tried + runs.shape()) / (tried + 1);
    left -= probability;
    ++k;
  }
  return k;
}

}  // namespace

std::string_view to_string(RunsDistribution distribution) {
  switch (distribution) {
    case RunsDistribution::kGeometric:
      return "geometric";
    case RunsDistribution::kLogarithmic:
      return "logarithmic";
    case RunsDistribution::kPoisson:
      return "poisson";
  }
  return "";
}

RunsDistribution runs_distribution_from_name(std::string_view text) {
  for (const auto distribution : kDistributions) {
    if (to_string(distribution) == text) return distribution;
  }
  throw InvalidArgument("distribution of runs '" + std::string(text) +
                        "': accepted are geometric, logarithmic and poisson");
}

RandomCount::RandomCount(RunsDistribution distribution, double mean)
    : distribution_(distribution), mean_(mean) {
  check_argument(mean >= 1.1 && mean <= 1000, "mean number of runs must be from 1.1 to 1000, got ",
                 mean);
}

std::int64_t RandomCount::draw(RandomSource& random) const {
  if (distribution_ == RunsDistribution::kPoisson) {
    return std::poisson_distribution<std::int64_t>(mean_)(random);
  }
  return drawn_from(negative_binomial(*this), random);
}

accounting::RdpEpsilon RandomCount::cost_of_best(const accounting::RdpAccountant& one,
                                                 double delta) const {
  return distribution_ == RunsDistribution::kPoisson
             ? accounting::tuned_by_poisson_runs(one, mean_, delta)
             : accounting::tuned_by_random_runs(one, negative_binomial(*this), delta);
}

}  // namespace sotto::sweep
