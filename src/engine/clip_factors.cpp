#include "engine/clip_factors.h"

#include <ATen/ATen.h>

#include <cmath>

#include "sotto/core/error.h"

namespace sotto {

ClipFactors clip_counts(const at::Tensor& given, const ClipRule& rule) {
  const at::Tensor squared_norms = given.contiguous();
  const std::int64_t samples = squared_norms.size(1);
  ClipFactors result;
  result.norms = at::empty({samples}, at::kDouble);
  auto* norms = result.norms.data_ptr<double>();
  for (std::int64_t i = 0; i < samples; ++i) {
    norms[i] = rule.norm(squared_norms.data_ptr<double>() + i, samples);
    rule.count(norms[i], result.counts);
  }
  return result;
}

at::Tensor factors_within(const at::Tensor& given, const std::vector<double>& bounds) {
  const at::Tensor squared_norms = given.contiguous();
  const std::int64_t samples = squared_norms.size(1);
  at::Tensor factors = at::empty_like(squared_norms);
  const auto parameters = static_cast<std::int64_t>(bounds.size());
  for (std::int64_t i = 0; i < samples; ++i) {
    const double* column = squared_norms.data_ptr<double>() + i;
    bool finite = true;
    for (std::int64_t p = 0; p < parameters; ++p) {
      finite = finite && std::isfinite(column[p * samples]);
    }
    for (std::int64_t p = 0; p < parameters; ++p) {
      factors.data_ptr<double>()[p * samples + i] =
          finite ? scaled_down(std::sqrt(column[p * samples]), bounds[static_cast<std::size_t>(p)])
                 : 0;
    }
  }
  return factors;
}

ClipFactors clip_factors(const at::Tensor& given, const Clipping& clipping, double bound,
                         const std::vector<std::int64_t>& layers) {
  check_argument(static_cast<std::int64_t>(layers.size()) == given.size(0), "clipping: norms of ",
                 given.size(0), " parameters, layers of ", layers.size());
  return clip_factors(given, ClipRule(clipping, bound, layers));
}

ClipFactors clip_factors(const at::Tensor& given, const ClipRule& rule) {
  const at::Tensor squared_norms = given.contiguous();
  ClipFactors result = clip_counts(squared_norms, rule);
  result.factors = at::empty_like(squared_norms);
  rule.factors(squared_norms.data_ptr<double>(), squared_norms.size(1), squared_norms.size(1),
               result.factors.data_ptr<double>());
  return result;
}

}  // namespace sotto
