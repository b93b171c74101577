#include "accounting/laplace_pair.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/log_math.h"
#include "core/unit_roundoff.h"

namespace sotto::accounting {

double LaplacePair::loss(double z) const {
  return log_mix_exp(sample_rate_, std::clamp(2 * z - shift_, -shift_, shift_));
}

double LaplacePair::point_at_loss(double loss) const {
  // e^l = 1 - q + q e^x  <=>  x = ln((e^l - 1 + q)/q), and z = (x + shift)/2.
  if (loss < this->loss(0)) return -std::numeric_limits<double>::infinity();
  if (loss > this->loss(shift_)) return std::numeric_limits<double>::infinity();
  return std::clamp((log_unmix_exp(sample_rate_, loss) + shift_) / 2, 0.0, shift_);
}

Cut LaplacePair::cut(double z) const {
  const auto below = [](double x) { return x < 0 ? std::exp(x) / 2 : 1 - std::exp(-x) / 2; };
  const auto above = [&](double x) { return below(-x); };
  const double rest = 1 - sample_rate_;
  return {{rest * below(z) + sample_rate_ * below(z - shift_), below(z)},
          {rest * above(z) + sample_rate_ * above(z - shift_), above(z)}};
}

// Exponentials err by 4 u, and by the rounding of their arguments.
double LaplacePair::cut_error(double z) const {
  return kUnitRoundoff * (16 + 2 * (std::abs(z) + shift_));
}

double LaplacePair::loss_error(double z) const {
  return kUnitRoundoff * (32 + 8 * (std::min(std::abs(z), shift_) + shift_));
}

Range LaplacePair::central_range(double tail_mass) const {
  const double reach = std::log(0.5 / tail_mass);
  return {-reach, shift_ + reach};
}

}  // namespace sotto::accounting
