#include "tests/engine/simple_trainer.h"

#include <algorithm>
#include <cmath>

#include "plan/batch_sampler.h"
#include "plan/clip_rule.h"
#include "sotto/accounting/privacy_cost.h"
#include "sotto/core/random.h"

namespace sotto {

using torch::Tensor;

Tensor SimpleTrainer::clip_each(const Tensor& gradients, double bound) {
  const Tensor norms = gradients.norm(2, {1}, true);
  const Tensor factors = (bound / (norms * kRoundingMargin)).clamp_max(1);
  return (gradients * factors).masked_fill(norms.isfinite().logical_not(), 0).sum(0);
}

// arXiv:1905.03871, Algorithm 1.
double SimpleTrainer::adapt_by_noised_count(const Plan& plan, double bound, std::int64_t drawn,
                                            std::int64_t unclipped) {
  const double noise = plan.count_noise() * torch::randn({1}).item<double>();
  const double centred = static_cast<double>(unclipped) - 0.5 * static_cast<double>(drawn) + noise;
  const double fraction = centred / static_cast<double>(plan.batch_size()) + 0.5;
  const auto& adaptive = std::get<AdaptiveClipping>(plan.options().clipping);
  return bound * std::exp(-adaptive.learning_rate * (fraction - adaptive.target_quantile));
}

double SimpleTrainer::honest_claim(const Plan& plan, std::int64_t charged) {
  return accounting::cost_at_delta(plan.composition(charged), plan.neighbours(), kObservedDelta)
      .epsilon;
}

ObservedRun SimpleTrainer::operator()(const Task& task, const PlanOptions& options,
                                      std::int64_t max_physical_batch_size) const {
  const Plan plan(options);
  SeededRandomNotPrivate random(7);
  BatchSampler sampler(plan, random);
  ObservedRun run;
  Tensor weights = task.start.clone();
  double bound = options.max_grad_norm;
  for (std::int64_t step = 0; step < length(plan); ++step) {
    const auto drawn = use_batch(sampler.draw());
    const auto size = static_cast<std::int64_t>(drawn.size());
    if (!executes(drawn.empty())) continue;
    task.set_weights(weights);
    const Tensor gradients = task.gradients(drawn);
    const std::int64_t at_once =
        max_physical_batch_size == 0 ? std::max<std::int64_t>(size, 1) : max_physical_batch_size;
    Tensor sum = torch::zeros({weights.size(0)}, torch::kDouble);
    for (std::int64_t begin = 0; begin == 0 || begin < size; begin += at_once) {
      const Tensor part = gradients.narrow(0, begin, std::min(at_once, size - begin));
      sum += clip(part, bound);
      const bool last = begin + at_once >= size;
      if ((last || noise_every_part) && noises(drawn.empty())) {
        sum += deviation(plan, bound) * noise(task, step);
      }
    }
    const Tensor after = (weights - sum / divisor(plan, size)).to(torch::kFloat);
    const auto unclipped = (gradients.norm(2, {1}) <= bound).sum().item<std::int64_t>();
    const double next =
        is<AdaptiveClipping>(options.clipping) ? adapt(plan, bound, size, unclipped) : bound;
    run.steps.push_back(
        {drawn, weights, weights.to(torch::kDouble) - after.to(torch::kDouble), bound, next, 1});
    run.charged += charges(drawn.empty()) ? 1 : 0;
    run.discarded += count_discarded(gradients);
    weights = after;
    bound = next;
  }
  run.epsilon = claim(plan, run.charged);
  return run;
}

}  // namespace sotto
