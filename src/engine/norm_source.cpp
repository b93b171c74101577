#include "engine/norm_source.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <vector>

namespace sotto {

PartReport NormSource::add(PartInWork& part, const RecordBounds& bounds, BatchSums& /*sums*/) {
  part.require_kept_places();
  const c10::NoGradGuard no_gradients;
  std::vector<at::Tensor> losses;
  std::vector<double> norms;  // kept only if all of them are there: nobody may count twice
  for (std::int64_t begin = 0; begin < part.samples(); begin += kBoundedAtOnce) {
    const auto samples = samples_.piece(begin, std::min(kBoundedAtOnce, part.samples() - begin));
    const auto of_scores = checked_score_gradients(model_, model_.scores(samples.inputs),
                                                   samples.labels, bounds.norm());
    const at::Tensor drawn =
        of_scores.norms.masked_select(part.is_drawn().narrow(0, begin, of_scores.norms.size(0)));
    const auto* values = drawn.data_ptr<double>();
    norms.insert(norms.end(), values, values + drawn.numel());
    losses.push_back(of_scores.losses);
  }
  search_.add(norms);
  part.mark_used();
  return {.losses = part.of_drawn(at::cat(losses))};
}

}  // namespace sotto
