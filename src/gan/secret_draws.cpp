#include "gan/secret_draws.h"

#include <ATen/ATen.h>

#include <span>
#include <vector>

#include "core/distributions.h"
#include "core/rounded_normal.h"

namespace sotto::gan {

namespace {

// Standard normals, rounded to multiples of 2^-11, which a network does not notice.
void fill_standard_normal(std::span<float> values, RandomSource& random) {
  const RoundedNormal normal(RoundedNormal::kLargestDeviation);
  const std::vector<double> means(values.size(), 0);
  normal.release(means, values, {.out_of_them = 1 / RoundedNormal::kLargestDeviation}, random);
}

}  // namespace

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
  at::Tensor values = at::empty({n, size}, at::kFloat);
  fill_standard_normal({values.data_ptr<float>(), static_cast<std::size_t>(values.numel())},
                       *random_);
  return values;
}

}  // namespace sotto::gan
