// The gradient of every sample's own loss, without touching the model.
//
// One backward pass over the autograd graph of the loss vector gives, for every use of a parameter,
// what its per-sample gradients are made of (book-keeping: Bu et al. 2022, arXiv:2210.00038). From
// that come the per-sample norms, and then, once the clip factors are known, the clipped sum. A
// per-sample gradient is stored only where that is the cheapest way.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sotto/core/error.h"
#include "sotto/grad/exact_sums.h"

namespace sotto::grad {

// The losses cannot be taken apart by sample: an operation mixes samples, has no rule, or the
// losses are not one value per sample. The message names the operation and the parameter.
class NotSeparable : public InvalidArgument {
 public:
  using InvalidArgument::InvalidArgument;
};

struct NamedParameter {
  std::string name;
  at::Tensor tensor;
};

class PerSampleGradients {
 public:
  // Runs the backward pass. `losses` has shape (N), entry i depending on sample i alone; N may be
  // 0. Parameters that the losses do not depend on have gradient zero. Throws NotSeparable.
  PerSampleGradients(const at::Tensor& losses, std::vector<NamedParameter> parameters);
  ~PerSampleGradients();
  PerSampleGradients(PerSampleGradients&&) noexcept;
  PerSampleGradients& operator=(PerSampleGradients&&) noexcept;

  std::int64_t samples() const;

  // Squared L2 norms (parameters, N), double precision: entry (p, i) is sample i's for parameter p.
  const at::Tensor& squared_norms() const;

  // Adds, for each parameter p, factors[p][i] times sample i's gradient to the sum, which is exact.
  // A sample whose factor is 0 contributes exactly 0, even if its gradient is not finite. `factors`
  // has shape (parameters, N); factors[p][i] times the norm must be at most the sum's bound.
  void add_to(ExactSums& sums, const at::Tensor& factors,
              const std::vector<std::int64_t>& chain_ends) const;
  // The same as tensors, with bounds that fit these factors. For tests and diagnosis.
  std::vector<at::Tensor> weighted_sums(const at::Tensor& factors) const;

  // False if one sample that is not finite can make the gradients of others so: an operation
  // without a rule of its own uses a parameter; `parameter` is then set to its name.
  bool isolates_samples(std::string* parameter = nullptr) const;

  // Everything written out: (N, *shape) for each parameter. For tests and diagnosis.
  std::vector<at::Tensor> materialised() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace sotto::grad
