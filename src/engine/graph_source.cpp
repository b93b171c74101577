#include "engine/graph_source.h"

#include "engine/clip_factors.h"
#include "sotto/core/error.h"

namespace sotto {

void GraphSource::require_samples(std::int64_t expected) const {
  check_argument(losses_.defined() && losses_.dim() == 1 && losses_.size(0) == expected,
                 "losses: got ",
                 losses_.defined() ? detail::join_message("shape ", losses_.sizes()) : "nothing",
                 "; expected one value for each of the batch's ", expected,
                 " samples, not reduced (reduction none)");
}

PartReport GraphSource::add(PartInWork& part, const RecordBounds& bounds, BatchSums& sums) {
  check_argument(losses_.requires_grad(), "losses do not depend on any trainable parameter");
  part.require_kept_places();
  const grad::PerSampleGradients gradients(losses_, parameters_);
  require_isolated_samples(gradients);
  auto clip = clip_factors(part.without_nobody(gradients.squared_norms()), bounds.clip_rule());
  clip.counts.discarded -= part.samples() - part.drawn();
  part.mark_used();
  sums.add(gradients, clip.factors, part.chain_ends());
  return {.counts = clip.counts, .norms = part.of_drawn(clip.norms)};
}

}  // namespace sotto
