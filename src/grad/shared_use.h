// One use of a shared tensor s (a weight, or a view of it) by an operation on samples.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>

#include "grad/trace.h"

namespace sotto::grad {

struct ExactFactors;

class SharedUse {
 public:
  SharedUse() = default;
  SharedUse(const SharedUse&) = delete;
  SharedUse& operator=(const SharedUse&) = delete;
  virtual ~SharedUse() = default;

  // The gradients of samples begin..end-1 with respect to s: (end - begin, *shape of s).
  virtual at::Tensor per_sample(std::int64_t begin, std::int64_t end) const = 0;

  // The samples' gradients times their factors, added up without rounding (see exact_rows.h), in
  // the shape of s, double, if there is a cheaper way than per_sample(); else undefined.
  virtual at::Tensor exact_sum(const ExactFactors& /*factors*/) const { return {}; }

  // Squared norms (N), double, if there is a cheaper way than per_sample(); else undefined.
  virtual at::Tensor squared_norms() const { return {}; }

  // False if one sample that is not finite can make the gradients of others so.
  virtual bool isolates() const { return true; }

  // Makes the samples where `bad` (N, bool) is true contribute exactly zero from now on.
  virtual void discard(const at::Tensor& bad) = 0;
};

// `gradient` is that of the losses' sum with respect to the boundary's output.
std::unique_ptr<SharedUse> make_shared_use(const Boundary& boundary, const at::Tensor& gradient,
                                           std::int64_t samples);

}  // namespace sotto::grad
