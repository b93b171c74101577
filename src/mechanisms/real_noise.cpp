#include "sotto/mechanisms/real_noise.h"

#include <cmath>

#include "accounting/infinity.h"
#include "core/distributions.h"
#include "core/gaussian_noise.h"
#include "sotto/accounting/theorems.h"
#include "sotto/core/error.h"

namespace sotto::mechanisms {

namespace {

using accounting::EpsilonDelta;

void check_positive(const char* what, double value) {
  check_argument(value > 0 && std::isfinite(value), what, " must be positive and finite, got ",
                 value);
}

}  // namespace

LaplaceMechanism::LaplaceMechanism(Sensitivity sensitivity, double epsilon)
    : epsilon_(epsilon), scale_(sensitivity.value / epsilon) {
  check_positive("sensitivity", sensitivity.value);
  check_positive("epsilon", epsilon);
}

double LaplaceMechanism::add_noise(double value, RandomSource& random) const {
  return value + draw_laplace(scale_, random);
}

double LaplaceMechanism::standard_deviation() const { return std::sqrt(2.0) * scale_; }

GaussianMechanism::GaussianMechanism(Sensitivity sensitivity, double multiplier)
    : multiplier_(multiplier), deviation_(multiplier * sensitivity.value) {
  check_positive("sensitivity", sensitivity.value);
  check_positive("standard deviation", deviation_);
  constexpr double kLeast = 1e-290;  // below it the step of rounding has no exact double
  constexpr double kMost = 1e300;
  check_argument(deviation_ > kLeast && deviation_ < kMost,
                 "the standard deviation must be between ", kLeast, " and ", kMost, ", got ",
                 deviation_);
}

GaussianMechanism GaussianMechanism::classic(Sensitivity sensitivity, const EpsilonDelta& budget) {
  if (budget.epsilon >= 1) {
    throw NoValidAnalysis(
        detail::join_message("the classic Gaussian mechanism is proved for epsilon below 1, got ",
                             budget.epsilon, "; use the analytic one"));
  }
  return {sensitivity, accounting::classic_gaussian_sigma(budget)};
}

GaussianMechanism GaussianMechanism::analytic(Sensitivity sensitivity, const EpsilonDelta& budget) {
  return {sensitivity, accounting::gaussian_sigma(budget)};
}

double GaussianMechanism::add_noise(double value, RandomSource& random) const {
  // The product was rounded: never below what the event says.
  return add_gaussian(value, std::nextafter(deviation_, accounting::kInfinity), random);
}

}  // namespace sotto::mechanisms
