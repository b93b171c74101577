#include "accounting/gdp.h"

#include <cmath>
#include <limits>

#include "accounting/infinity.h"
#include "sotto/accounting/theorems.h"
#include "sotto/core/error.h"

namespace sotto::accounting {

namespace {

double mu_squared(const Event& event, const Neighbours& neighbours) {
  if (const auto* e = std::get_if<GaussianEvent>(&event)) {
    const double mu = neighbours.sum_sensitivity() / e->noise_multiplier();
    return mu * mu;
  }
  const auto* e = std::get_if<PoissonGaussianEvent>(&event);
  if (e != nullptr && e->sample_rate() == 1) {
    return mu_squared(GaussianEvent(e->noise_multiplier()), neighbours);
  }
  if (e == nullptr || neighbours.adjacency() == Adjacency::kReplaceOne ||
      neighbours.group_size() > 1) {
    throw NoValidAnalysis("gdp has no analysis of " + describe(event) + " under " +
                          neighbours.describe() +
                          "; accepted: Poisson-sampled Gaussian under add-remove or zero-out");
  }
  const double precision = 1 / (e->noise_multiplier() * e->noise_multiplier());
  return e->sample_rate() * e->sample_rate() * std::expm1(precision);
}

}  // namespace

double gdp_mu(const Composition& composition, const Neighbours& neighbours) {
  if (composition.has_noiseless_part()) return kInfinity;
  double sum = 0;
  for (const auto& [event, count] : composition.parts()) {
    sum += static_cast<double>(count) * mu_squared(event, neighbours);
  }
  return std::sqrt(sum);
}

double gdp_epsilon(double mu, double delta) {
  if (mu == 0) return 0;
  return std::isinf(mu) ? kInfinity : gaussian_epsilon(1 / mu, delta);
}

double gdp_delta(double mu, double epsilon) {
  if (mu == 0) return 0;
  return std::isinf(mu) ? 1 : gaussian_delta(1 / mu, epsilon);
}

}  // namespace sotto::accounting
