#include "sotto/grad/grad.h"

#include <ATen/ATen.h>

#include <cmath>

#include "fused/exact_sums.h"
#include "sotto/core/error.h"

namespace sotto::grad {

ExactSums::ExactSums(const std::vector<at::Tensor>& parameters, const std::vector<double>& bounds) {
  for (const auto& parameter : parameters) {
    values_.push_back(at::empty(parameter.sizes(), at::kDouble));
  }
  restart(bounds);
}

void ExactSums::restart(const std::vector<double>& bounds) {
  check_argument(values_.size() == bounds.size(), "exact sums: ", bounds.size(), " bounds for ",
                 values_.size(), " parameters");
  units_.clear();
  for (const double bound : bounds) {
    check_argument(bound > 0 && std::isfinite(bound),
                   "exact sums: a bound must be positive and finite, got ", bound);
    units_.push_back(fused::unit_for(bound));
  }
  set_ = false;
}

void ExactSums::settle() {
  if (set_) return;
  for (auto& values : values_) values.zero_();
  set_ = true;
}

at::Tensor ExactSums::real(std::size_t parameter) const {
  return values_[parameter] * units_[parameter];
}

}  // namespace sotto::grad
