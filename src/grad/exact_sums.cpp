#include "sotto/grad/exact_sums.h"

#include <ATen/ATen.h>

#include <cmath>

#include "fused/exact_sums.h"
#include "sotto/core/error.h"

namespace sotto::grad {

ExactSums::ExactSums(const std::vector<at::Tensor>& parameters, const std::vector<double>& bounds) {
  check_argument(parameters.size() == bounds.size(), "exact sums: ", bounds.size(), " bounds for ",
                 parameters.size(), " parameters");
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    check_argument(bounds[i] > 0 && std::isfinite(bounds[i]),
                   "exact sums: a bound must be positive and finite, got ", bounds[i]);
    values_.push_back(at::empty(parameters[i].sizes(), at::kDouble));
    units_.push_back(fused::unit_for(bounds[i]));
  }
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
