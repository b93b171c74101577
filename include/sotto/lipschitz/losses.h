// Losses with a bound on their gradient with respect to one sample's scores.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "sotto/engine/bounded_model.h"
#include "sotto/settings/training_config.h"

namespace sotto::lipschitz {

using settings::LossKind;

struct LossOptions {
  LossKind kind = LossKind::kCrossEntropy;
  double temperature = 1;  // τ: scores are multiplied by it, the loss divided
  double margin = 1;
  double alpha = 10;      // of kHkr
  double least_norm = 1;  // K of kCosine
};

// One value per sample, which depends on that sample alone: a loss whose weights depend on how
// often a class is in the batch (as HKR is often written) has no bound of this kind.
class Loss {
 public:
  // Throws InvalidArgument unless all numbers are positive and classes >= 2 (1 for losses of one
  // score).
  Loss(const LossOptions& options, std::int64_t classes);

  // scores (N, classes), labels (N) from 0; (N, 1) and labels 0 or 1 for losses of one score.
  at::Tensor operator()(const at::Tensor& scores, const at::Tensor& labels) const;

  // The same values and their gradients, each at most `bound` in norm; not for autograd.
  ScoreGradients gradients(const at::Tensor& scores, const at::Tensor& labels, double bound) const;

  // ‖∂ℓ/∂z‖ at most.
  double lipschitz() const;
  const LossOptions& options() const { return options_; }
  std::string describe() const;

 private:
  void check_shapes(const at::Tensor& scores, const at::Tensor& labels) const;

  LossOptions options_;
  std::int64_t classes_;
};

}  // namespace sotto::lipschitz
