#include "gan/secret_draws.h"

#include <ATen/ATen.h>

#include "core/distributions.h"
#include "core/gaussian_block.h"

namespace sotto::gan {

SecretDraws::SecretDraws(const std::optional<std::uint64_t>& insecure_seed) {
  if (insecure_seed) {
    random_ = std::make_unique<SeededRandomNotPrivate>(*insecure_seed ^ 0x9e3779b97f4a7c15ULL);
  } else {
    random_ = std::make_unique<SecureRandom>();
  }
}

at::Tensor SecretDraws::uniform(std::int64_t n) {
  at::Tensor values = at::empty({n}, at::kDouble);
  auto* data = values.data_ptr<double>();
  for (std::int64_t i = 0; i < n; ++i) data[i] = draw_uniform(*random_);
  return values.to(at::kFloat);
}

at::Tensor SecretDraws::latent(const GeneratorCard& card, std::int64_t n) {
  const auto size = card.shape.latent;
  if (card.latent == Latent::kUniform) return uniform(n * size).mul(2).sub(1).reshape({n, size});
  at::Tensor values = at::empty({n, size}, at::kDouble);
  fill_standard_normal({values.data_ptr<double>(), static_cast<std::size_t>(values.numel())},
                       *random_);
  return values.to(at::kFloat);
}

}  // namespace sotto::gan
