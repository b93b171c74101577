// What the engine does with a model whose gradients are bounded by proof.
#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>

#include "private/engine_state.h"
#include "private/noise_scales.h"
#include "sotto/core/error.h"
#include "sotto/core/stopwatch.h"

namespace sotto {

using at::Tensor;

namespace {

std::vector<Tensor> tensors_of(const std::vector<grad::NamedParameter>& parameters) {
  std::vector<Tensor> tensors;
  for (const auto& parameter : parameters) tensors.push_back(parameter.tensor);
  return tensors;
}

// norms (N), double.
std::int64_t count_within(const Tensor& norms, double bound) {
  const auto* values = norms.data_ptr<double>();
  return std::count_if(values, values + norms.numel(), [&](double norm) { return norm <= bound; });
}

}  // namespace

void EngineState::use(BoundedModel& model) {
  check_argument(plan.options().bounded.has_value(),
                 "a bounded model needs a plan with its gradient bounds");
  const auto proved = model.gradient_bounds(parameters, plan.options().max_grad_norm);
  check_argument(proved == plan.options().bounded->bounds,
                 "the plan's gradient bounds are not those of the model");
  static_cast<void>(noise_scales(proved, *plan.options().bounded));  // throws if they do not fit
  bounded = &model;
}

// One norm a sample: a sample must not be counted twice.
ScoreGradients EngineState::checked_score_gradients(const Tensor& scores,
                                                    const Tensor& labels) const {
  auto of_scores = bounded->score_gradients(scores, labels, max_grad_norm);
  const Tensor& norms = of_scores.norms;
  check_argument(norms.scalar_type() == at::kDouble && norms.is_contiguous() && norms.dim() == 1 &&
                     norms.size(0) == labels.size(0),
                 "score gradients: expected ", labels.size(0), " norms in double, got shape ",
                 norms.sizes());
  return of_scores;
}

void EngineState::accumulate_bounded(const Tensor& inputs, const Tensor& labels,
                                     StepReport& report) {
  const Stopwatch watch(seconds.gradients);
  std::vector<Tensor> losses;
  std::int64_t within = 0;
  try {
    for (std::int64_t begin = 0; begin < inputs.size(0); begin += kBoundedAtOnce) {
      const auto count = std::min(kBoundedAtOnce, inputs.size(0) - begin);
      const Tensor scores = bounded->scores(inputs.narrow(0, begin, count));
      const auto of_scores = checked_score_gradients(scores, labels.narrow(0, begin, count));
      auto gradients =
          torch::autograd::grad({scores}, tensors_of(parameters), {of_scores.gradients}, {}, false,
                                /*allow_unused=*/true);
      waiting = false;  // from here on these samples are used
      add_to_sums(std::move(gradients));
      losses.push_back(of_scores.losses);
      within += count_within(of_scores.norms, max_grad_norm);
    }
  } catch (...) {
    if (!waiting) forget_batch();  // sums hold a part of these samples: they may not be added again
    throw;
  }
  report.losses = losses.size() == 1 ? losses.front() : at::cat(losses);
  report.samples = inputs.size(0);
  report.clipped = report.samples - within;
  unclipped += within;
  batch_samples += report.samples;
}

}  // namespace sotto
