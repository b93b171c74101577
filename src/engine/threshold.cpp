#include "engine/threshold.h"

#include <algorithm>
#include <cmath>

namespace sotto {

Threshold::Threshold(const Plan& plan) : plan_(plan), norm_(plan.options().max_grad_norm) {
  if (plan.searches_thresholds()) search_.emplace(plan);
}

// arXiv:1905.03871, Algorithm 1. A record that contributes nothing to the sum, as the blank of a
// zero-out neighbour, counts as nobody: half a vote otherwise, so that one record moves the count
// by 1/2 under zero-out as under add-remove.
void Threshold::follow(const BatchCounts& counts, Noise& noise) {
  const auto* adaptive = std::get_if<AdaptiveClipping>(&plan_.options().clipping);
  if (adaptive == nullptr) return;
  const double centred = 0.5 * static_cast<double>(counts.unclipped - counts.clipped);
  const double noised = noise.release(centred, plan_.count_noise());
  const double fraction = noised / static_cast<double>(plan_.batch_size()) + 0.5;
  norm_ *= std::exp(-adaptive->learning_rate * (fraction - adaptive->target_quantile));
  // Where most gradients vanish, the threshold would follow them to where floats end.
  const double start = plan_.options().max_grad_norm;
  norm_ =
      std::clamp(norm_, std::max(kLeastNorm, 1e-6 * start), std::min(kLargestNorm, 1e6 * start));
}

bool Threshold::can_be(double norm) const {
  const bool moves = search_ || is<AdaptiveClipping>(plan_.options().clipping);
  if (!moves) return norm == plan_.options().max_grad_norm;
  return norm >= kLeastNorm && norm <= kLargestNorm;
}

void Threshold::finish_search(std::int64_t steps, RandomSource& random) {
  norm_ = std::max(kLeastNorm, search_->finish(steps, random));
}

void Threshold::add_to(nlohmann::json& checkpoint) const {
  checkpoint["max_grad_norm"] = norm_;
  if (search_) checkpoint["searched_epoch"] = search_->epoch();
}

}  // namespace sotto
