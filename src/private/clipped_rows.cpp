#include "private/clipped_rows.h"

#include <ATen/ATen.h>

namespace sotto {

at::Tensor sums_of_clipped_rows(const at::Tensor& rows, double bound, const at::Tensor& one_hot) {
  at::NoGradGuard no_gradients;
  constexpr double kMargin = 1 + 0x1p-18;                                     // norms are rounded
  const at::Tensor norms = rows.norm(2, {1}, /*keepdim=*/true, at::kDouble);  // (n, 1)
  const at::Tensor usable = norms.isfinite();
  const at::Tensor factors = (bound / (norms * kMargin)).clamp_max(1).masked_fill(~usable, 0);
  const at::Tensor finite = rows.masked_fill(~usable, 0);  // 0·NaN is not 0
  return at::matmul((one_hot * factors).t(), finite.to(at::kDouble));
}

}  // namespace sotto
