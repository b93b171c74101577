#include "sotto/mechanisms/integer_noise.h"

#include <cmath>

#include "mechanisms/discrete_draws.h"
#include "sotto/core/error.h"

namespace sotto::mechanisms {

struct DiscreteLaplace::Scale {
  Fraction value;
};

DiscreteLaplace::DiscreteLaplace(std::int64_t sensitivity, double epsilon)
    : rate_(epsilon / static_cast<double>(sensitivity)) {
  check_argument(sensitivity >= 1, "sensitivity must be a whole number of at least 1, got ",
                 sensitivity);
  check_argument(epsilon > 0 && std::isfinite(epsilon), "epsilon must be positive, got ", epsilon);
  check_argument(1 / rate_ <= kLargestScale, "epsilon ", epsilon, " is too small for sensitivity ",
                 sensitivity, ": their quotient must be at most 2^52");
  Fraction exact = exact_fraction(epsilon);
  scale_ =
      std::make_shared<Scale>(Scale{{exact.denominator * sensitivity, std::move(exact.numerator)}});
}

std::int64_t DiscreteLaplace::draw(RandomSource& random) const {
  return within_limits(draw_discrete_laplace(scale_->value, random));
}

double DiscreteLaplace::probability(std::int64_t value) const {
  return std::tanh(rate_ / 2) * std::exp(-rate_ * std::abs(static_cast<double>(value)));
}

double DiscreteLaplace::standard_deviation() const {
  return std::sqrt(2.0) * std::exp(-rate_ / 2) / -std::expm1(-rate_);
}

// Pr[|x| > w] = 2 e^(-rate (w + 1)) / (1 + e^-rate).
double DiscreteLaplace::half_width(double tail) const {
  const double exponent = std::log(2 / (tail * (1 + std::exp(-rate_))));
  return std::max(0.0, std::ceil(exponent / rate_ - 1));
}

}  // namespace sotto::mechanisms
