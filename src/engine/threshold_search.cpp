#include "engine/threshold_search.h"

#include <cmath>

#include "plan/sparse_vector.h"

namespace sotto {

bool ThresholdSearch::is_due(std::int64_t steps) const {
  return epoch_ != steps / plan_.steps_per_epoch();
}

void ThresholdSearch::add(const std::vector<double>& norms) {
  norms_.insert(norms_.end(), norms.begin(), norms.end());
}

double ThresholdSearch::finish(std::int64_t steps, RandomSource& random) {
  const auto& options = plan_.options();
  const auto& searched = std::get<SearchedClipping>(options.clipping);
  const double above = (1 - searched.target_quantile) * static_cast<double>(plan_.batch_size());
  const double found = sparse_vector_threshold(norms_, threshold_candidates(options.max_grad_norm),
                                               std::llround(above), searched.epsilon, random);
  epoch_ = steps / plan_.steps_per_epoch();
  running_ = false;
  return found;
}

}  // namespace sotto
