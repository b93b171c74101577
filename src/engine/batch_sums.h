// What a logical batch has added up so far.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "plan/clip_rule.h"
#include "sotto/grad/grad.h"

namespace sotto {

// Of a logical batch. Without noise: not for publication.
struct BatchCounts {
  std::int64_t samples = 0;
  // Of those that contribute something.
  std::int64_t unclipped = 0;
  std::int64_t clipped = 0;
  std::int64_t discarded = 0;  // not finite
};

// The sums of clipped gradients, and what is known of the samples in them. The memory of the sums
// serves every batch.
class BatchSums {
 public:
  // `parameters` must outlive it.
  explicit BatchSums(const std::vector<grad::NamedParameter>& parameters)
      : parameters_(parameters) {}

  // A new batch; one record contributes at most norm bounds[p] to parameter p. To be called before
  // anything else.
  void restart(const std::vector<double>& bounds);

  // Adds gradients that LibTorch computed (see grad::PerSampleGradients::add_to).
  void add(const grad::PerSampleGradients& gradients, const at::Tensor& factors,
           const std::vector<std::int64_t>& chain_ends);
  // For kernels that add by themselves.
  grad::ExactSums& exact() { return *exact_; }

  void count(const ClipCounts& counts, std::int64_t samples);
  const BatchCounts& counts() const { return counts_; }

  // Some sum so far, of this batch or an earlier one, holds gradients by LibTorch's kernels.
  bool used_libtorch() const { return used_libtorch_; }
  // A run that is continued here has such sums.
  void remember_libtorch() { used_libtorch_ = true; }

 private:
  const std::vector<grad::NamedParameter>& parameters_;
  std::optional<grad::ExactSums> exact_;
  BatchCounts counts_;
  bool used_libtorch_ = false;
};

}  // namespace sotto
