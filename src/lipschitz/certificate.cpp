#include "lipschitz/certificate.h"

#include <ATen/ATen.h>

#include <numbers>

#include "sotto/core/error.h"

namespace sotto::lipschitz {
namespace {

constexpr double kScoreRounding = 1e-5;  // of scores computed in float, relative

}  // namespace

// The difference of two scores is √2·L-Lipschitz: it is a product with a vector of norm √2.
at::Tensor certified_radii(const at::Tensor& scores, const at::Tensor& labels, double lipschitz) {
  check_argument(scores.dim() == 2 && scores.size(1) >= 2, "scores of at least two classes needed");
  check_argument(lipschitz > 0, "a Lipschitz constant must be positive, got ", lipschitz);
  const at::Tensor wide = scores.to(at::kDouble);
  const at::Tensor own = wide.gather(1, labels.unsqueeze(1)).squeeze(1);
  const at::Tensor others =
      wide.masked_fill(at::one_hot(labels, wide.size(1)).to(at::kBool), -INFINITY).amax(1);
  const at::Tensor rounding = kScoreRounding * (own.abs() + others.abs());
  return ((own - others - rounding) / (std::numbers::sqrt2 * lipschitz)).clamp_min(0);
}

std::vector<CertifiedAccuracy> certified_accuracy(const at::Tensor& radii,
                                                  const std::vector<double>& at_radii) {
  std::vector<CertifiedAccuracy> all;
  for (const double radius : at_radii) {
    all.push_back({radius, (radii > radius).to(at::kDouble).mean().item<double>()});
  }
  return all;
}

}  // namespace sotto::lipschitz
