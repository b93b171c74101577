// A private trainer as simple as can be, over a batch-of-one loop. Every member does its part
// right; a test of the never list replaces one by a bug, which the check must then find.
#pragma once

#include <functional>
#include <vector>

#include "sotto/plan/plan.h"
#include "tests/engine/observed_training.h"

namespace sotto {

struct SimpleTrainer {
  ObservedRun operator()(const Task& task, const PlanOptions& plan,
                         std::int64_t max_physical_batch_size) const;

  // The batch that is used, given the one that was drawn.
  std::function<std::vector<std::int64_t>(const std::vector<std::int64_t>&)> use_batch =
      [](const auto& drawn) { return drawn; };
  // What per-sample gradients (n, P) add to the sum: (P).
  std::function<torch::Tensor(const torch::Tensor& gradients, double bound)> clip = clip_each;
  // Standard deviation of the noise on the sum.
  std::function<double(const Plan& plan, double bound)> deviation =
      [](const Plan& plan, double bound) { return plan.gradient_noise_multiplier() * bound; };
  // Standard normal numbers for a step: (P).
  std::function<torch::Tensor(const Task& task, std::int64_t step)> noise =
      [](const Task& task, std::int64_t) { return torch::randn(task.start.sizes()); };
  bool noise_every_part = false;
  std::function<double(const Plan& plan, std::int64_t drawn)> divisor =
      [](const Plan& plan, std::int64_t) { return static_cast<double>(plan.batch_size()); };
  // Adaptive clipping: the next C, given how many samples were drawn and how many not clipped.
  std::function<double(const Plan& plan, double bound, std::int64_t drawn, std::int64_t unclipped)>
      adapt = adapt_by_noised_count;
  // Given whether nobody was drawn.
  std::function<bool(bool empty)> executes = [](bool) { return true; };
  std::function<bool(bool empty)> noises = [](bool) { return true; };
  std::function<bool(bool empty)> charges = [](bool) { return true; };
  // Goes on for as many steps as it likes.
  std::function<std::int64_t(const Plan& plan)> length = [](const Plan& plan) {
    return plan.steps();
  };
  // The ε it says `charged` steps cost.
  std::function<double(const Plan& plan, std::int64_t charged)> claim = honest_claim;

  // Samples that are not finite count as nothing.
  static torch::Tensor clip_each(const torch::Tensor& gradients, double bound);
  static double adapt_by_noised_count(const Plan& plan, double bound, std::int64_t drawn,
                                      std::int64_t unclipped);
  static double honest_claim(const Plan& plan, std::int64_t charged);

  // How many samples to count as discarded.
  std::function<std::int64_t(const torch::Tensor& gradients)> count_discarded = [](const auto& g) {
    return g.size(0) - g.isfinite().all(1).sum().template item<std::int64_t>();
  };
};

}  // namespace sotto
