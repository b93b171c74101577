#include "accounting/laplace_pair.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sotto/core/log_math.h"

namespace sotto::accounting {

double LaplacePair::loss(double z) const {
  return log_mix_exp(sample_rate_, std::clamp(2 * z - shift_, -shift_, shift_));
}

double LaplacePair::point_at_loss(double loss) const {
  const double ratio = std::expm1(loss) + sample_rate_;  // q e^x
  const double lowest_ratio = sample_rate_ * std::exp(-shift_);
  if (ratio < lowest_ratio) return -std::numeric_limits<double>::infinity();
  const double z = (std::log(ratio / sample_rate_) + shift_) / 2;
  return z <= shift_ ? z : std::numeric_limits<double>::infinity();
}

Cut LaplacePair::cut(double z) const {
  const auto below = [](double x) { return x < 0 ? std::exp(x) / 2 : 1 - std::exp(-x) / 2; };
  const auto above = [&](double x) { return below(-x); };
  const double rest = 1 - sample_rate_;
  return {{rest * below(z) + sample_rate_ * below(z - shift_), below(z)},
          {rest * above(z) + sample_rate_ * above(z - shift_), above(z)}};
}

Range LaplacePair::central_range(double tail_mass) const {
  const double reach = std::log(0.5 / tail_mass);
  return {-reach, shift_ + reach};
}

}  // namespace sotto::accounting
