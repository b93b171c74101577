#include "sotto/mechanisms/integer_noise.h"

#include <cmath>

#include "core/normal.h"
#include "mechanisms/discrete_draws.h"
#include "mechanisms/renyi_options.h"
#include "sotto/accounting/budget.h"
#include "sotto/core/error.h"

namespace sotto::mechanisms {

namespace {

using accounting::Composition;
using accounting::GaussianEvent;

// Σ e^(-x²/(2σ²)) over all whole x: term by term, or σ√(2π), which it exceeds by less than a
// relative e^-(2π²σ²)·3, where there are many terms.
double normaliser(double sigma) {
  if (sigma > 10) return sigma * std::sqrt(2 * M_PI);
  double sum = 1;
  for (int x = 1; x <= 400; ++x) sum += 2 * std::exp(-0.5 * std::pow(x / sigma, 2));
  return sum;
}

}  // namespace

struct DiscreteGaussian::Variance {
  Fraction value;
};

DiscreteGaussian::DiscreteGaussian(double sigma) : sigma_(sigma) {
  check_argument(sigma > 0 && sigma <= kLargestSigma, "sigma must be in (0, 2^52], got ", sigma);
  const Fraction exact = exact_fraction(sigma);
  variance_ = std::make_shared<Variance>(
      Variance{{exact.numerator * exact.numerator, exact.denominator * exact.denominator}});
}

DiscreteGaussian DiscreteGaussian::for_budget(std::int64_t sensitivity,
                                              const accounting::EpsilonDelta& budget) {
  check_argument(sensitivity >= 1, "sensitivity must be a whole number of at least 1, got ",
                 sensitivity);
  check_argument(budget.epsilon > 0 && std::isfinite(budget.epsilon),
                 "epsilon must be positive, got ", budget.epsilon);
  check_argument(budget.delta > 0 && budget.delta < 1,
                 "Gaussian noise needs a delta in (0, 1), got ", budget.delta);
  const double multiplier = accounting::smallest_noise_multiplier(
      budget, accounting::Neighbours(),
      [](double noise) { return Composition(GaussianEvent(noise), 1); }, renyi_options());
  return DiscreteGaussian(multiplier * static_cast<double>(sensitivity) * (1 + 1e-15));
}

std::int64_t DiscreteGaussian::draw(RandomSource& random) const {
  return within_limits(draw_discrete_gaussian(variance_->value, random));
}

double DiscreteGaussian::probability(std::int64_t value) const {
  const double z = static_cast<double>(value) / sigma_;
  return std::exp(-z * z / 2) / normaliser(sigma_);
}

// Pr[x > w] = Pr[x >= w + 1], which is at most Pr[N(0, σ²) >= w] (arXiv:2004.00010 too).
double DiscreteGaussian::half_width(double tail) const {
  return std::ceil(sigma_ * normal_upper_quantile(tail / 2));
}

}  // namespace sotto::mechanisms
