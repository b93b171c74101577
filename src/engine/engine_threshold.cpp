// How the threshold of clipping follows the data, and what that costs.
#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

#include "engine/engine_state.h"
#include "plan/sparse_vector.h"
#include "sotto/accounting/calibration.h"

namespace sotto {

using at::Tensor;

std::int64_t affordable_steps(const Plan& plan, const EngineOptions& options,
                              std::int64_t repeated_searches) {
  if (!options.target) return plan.steps();
  return accounting::most_rounds(
      *options.target, plan.neighbours(),
      [&](std::int64_t steps) { return plan.composition(steps, repeated_searches); }, plan.steps());
}

bool EngineState::search_is_due() const {
  return plan.searches_thresholds() && searched_epoch != steps / plan.steps_per_epoch();
}

// The step limit if so many searches are charged before the next step: searches that an
// interruption made necessary again leave less for steps.
std::int64_t EngineState::affordable_with(std::int64_t all_searches) const {
  const auto repeated = all_searches - plan.threshold_searches(steps + 1);
  return repeated > 0 ? affordable_steps(plan, options, repeated) : step_limit;
}

void EngineState::restore_searches(std::int64_t charged, std::int64_t epoch) {
  for (; searches < charged; ++searches) {
    if (ledger) ledger->charge_event(kThresholdSearch, search_description());  // made without it
  }
  searched_epoch = epoch;
  step_limit = affordable_with(searches);
}

void EngineState::search_part(const Tensor& inputs, const Tensor& labels, StepReport& report) {
  require_fixed_batch_sizes();
  const at::NoGradGuard no_gradients;
  std::vector<Tensor> losses;
  std::vector<double> part_norms;  // kept only if all of them are there: nobody may count twice
  for (std::int64_t begin = 0; begin < inputs.size(0); begin += kBoundedAtOnce) {
    const auto count = std::min(kBoundedAtOnce, inputs.size(0) - begin);
    const auto of_scores = checked_score_gradients(bounded->scores(inputs.narrow(0, begin, count)),
                                                   labels.narrow(0, begin, count));
    const auto* values = of_scores.norms.data_ptr<double>();
    part_norms.insert(part_norms.end(), values, values + of_scores.norms.numel());
    losses.push_back(of_scores.losses);
  }
  searched_norms.insert(searched_norms.end(), part_norms.begin(), part_norms.end());
  waiting = false;
  report.losses = at::cat(losses);
  report.samples = inputs.size(0);
  if (next_part == parts.size()) finish_search();
}

nlohmann::json EngineState::search_description() const {
  return {{"epsilon", std::get<SearchedClipping>(plan.options().clipping).epsilon}};
}

void EngineState::finish_search() {
  const auto& o = plan.options();
  if (ledger) ledger->charge_event(kThresholdSearch, search_description());
  ++searches;
  const auto& searched = std::get<SearchedClipping>(o.clipping);
  const double above = (1 - searched.target_quantile) * static_cast<double>(plan.batch_size());
  const double found =
      sparse_vector_threshold(searched_norms, threshold_candidates(o.max_grad_norm),
                              std::llround(above), searched.epsilon, noise.random());
  max_grad_norm = std::max(kLeastNorm, found);
  searched_epoch = steps / plan.steps_per_epoch();
  searching = false;
  forget_batch();
}

// arXiv:1905.03871, Algorithm 1. The count's noise is part of the plan's multiplier.
void EngineState::adapt_threshold() {
  const double centred = static_cast<double>(unclipped) - 0.5 * static_cast<double>(batch_samples);
  const double noised = noise.release(centred, plan.count_noise());
  const double fraction = noised / static_cast<double>(plan.batch_size()) + 0.5;
  const auto& adaptive = std::get<AdaptiveClipping>(plan.options().clipping);
  max_grad_norm *= std::exp(-adaptive.learning_rate * (fraction - adaptive.target_quantile));
  // Where most gradients vanish, the threshold would follow them to where floats end.
  const double start = plan.options().max_grad_norm;
  max_grad_norm = std::clamp(max_grad_norm, std::max(kLeastNorm, 1e-6 * start),
                             std::min(kLargestNorm, 1e6 * start));
}

}  // namespace sotto
