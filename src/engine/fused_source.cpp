#include "engine/fused_source.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "engine/clip_factors.h"
#include "sotto/core/error.h"

namespace sotto {

void FusedSource::require_samples(std::int64_t expected) const {
  const auto& samples = batch_.records.defined() ? batch_.records : batch_.inputs;
  check_argument(samples.defined() && samples.dim() >= 1 && samples.size(0) == expected,
                 "fused step: expected the batch's ", expected, " samples, got ",
                 samples.defined() ? detail::join_message("shape ", samples.sizes()) : "nothing");
  require_same_parameters();
}

// A model compiled for other parameters would leave the engine's without gradient, or clip them by
// other parameters' norms.
void FusedSource::require_same_parameters() const {
  const auto& compiled = model_.parameters();
  const bool same = std::equal(
      compiled.begin(), compiled.end(), trained_.begin(), trained_.end(),
      [](const auto& one, const auto& other) { return one.tensor.is_same(other.tensor); });
  check_argument(same,
                 "the fused model was compiled for other parameters: compile it with this engine's "
                 "parameters()");
}

// Fused kernels compute every sample for itself: nobody need not be there.
grad::FusedBatch FusedSource::drawn_samples(const PartInWork& part) const {
  if (part.drawn() == part.samples()) return batch_;
  const at::Tensor records =
      batch_.records.defined() ? batch_.records : at::arange(part.samples(), at::kLong);
  return {batch_.inputs, batch_.targets, part.of_drawn(records)};
}

PartReport FusedSource::add(PartInWork& part, const RecordBounds& bounds, BatchSums& sums) {
  const ClipRule rule = bounds.clip_rule();
  const auto clip = [&](const double* squared_norms, std::int64_t stride, std::int64_t samples,
                        double* factors) { rule.factors(squared_norms, stride, samples, factors); };
  grad::FusedGradients gradients;
  try {
    gradients = model_.clipped_gradients(drawn_samples(part), clip, part.chain_ends_of_drawn(),
                                         sums.exact());
  } catch (const InvalidArgument&) {
    throw;  // nothing was added yet
  } catch (...) {
    part.abandon_batch();
    throw;
  }
  part.mark_used();
  const auto clipped = clip_counts(gradients.squared_norms, rule);
  return {.counts = clipped.counts, .losses = gradients.losses, .norms = clipped.norms};
}

}  // namespace sotto
