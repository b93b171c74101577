// Uses whose per-sample gradients are small and simply stored: biases, scales, normalisations.
#pragma once

#include "grad/shared_use.h"

namespace sotto::grad {

class MaterialisedUse final : public SharedUse {
 public:
  // gradients: (N, *shape of s).
  explicit MaterialisedUse(at::Tensor gradients) : gradients_(std::move(gradients)) {}

  at::Tensor per_sample(std::int64_t begin, std::int64_t end) const override;
  at::Tensor exact_sum(const ExactFactors& factors) const override;
  void discard(const at::Tensor& bad) override;

 private:
  at::Tensor gradients_;
};

}  // namespace sotto::grad
