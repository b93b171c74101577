// Samples for a model that computes its own losses.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "sotto/engine/bounded_model.h"

namespace sotto {

// Samples of a bounded model that are looked at together; more would take memory, and no less time.
inline constexpr std::int64_t kBoundedAtOnce = 1024;

struct LabelledSamples {
  at::Tensor inputs;  // (n, ...)
  at::Tensor labels;  // (n)

  // Throws InvalidArgument unless both have this many samples.
  void require(std::int64_t expected) const;
  // `count` of them from `begin` on.
  LabelledSamples piece(std::int64_t begin, std::int64_t count) const;
};

// The model's, with gradients scaled down to `bound`. Throws InvalidArgument unless they come with
// one norm per sample: no sample may be counted twice.
ScoreGradients checked_score_gradients(const BoundedModel& model, const at::Tensor& scores,
                                       const at::Tensor& labels, double bound);

}  // namespace sotto
