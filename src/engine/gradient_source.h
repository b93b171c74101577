// Where the gradients of a part of a batch come from: from losses by autograd (GraphSource), from
// fused kernels (FusedSource), from a model with proven bounds (BoundedSource).
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "engine/batch_queue.h"
#include "engine/batch_sums.h"
#include "engine/record_bounds.h"
#include "plan/clip_rule.h"
#include "sotto/grad/grad.h"

namespace sotto {

// Describes single records without noise.
struct PartReport {
  ClipCounts counts = {};
  at::Tensor losses = {};  // (n): of the samples, if the source computed them
  at::Tensor norms = {};   // (n), double: of the samples' whole gradients, where they are known
};

// One call of PrivacyEngine::step(): holds what the caller gave it, for one part.
class GradientSource {
 public:
  virtual ~GradientSource() = default;

  // Throws InvalidArgument unless the caller gave this many samples, of a kind that can be used.
  virtual void require_samples(std::int64_t expected) const = 0;
  virtual bool computes_losses() const = 0;

  // Adds the gradient of every sample of the part, within its bound. If it throws with the part not
  // marked as used, nothing was added and another source may try.
  virtual PartReport add(PartInWork& part, const RecordBounds& bounds, BatchSums& sums) = 0;
};

// One sample that is not finite must not reach the others': it contributes zero, and nothing else
// may come of it. Throws grad::NotSeparable, whatever the samples are, if it could.
void require_isolated_samples(const grad::PerSampleGradients& gradients);

}  // namespace sotto
