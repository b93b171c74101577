// What the engine does with a model whose gradients are bounded by proof.
#include <ATen/ATen.h>
#include <algorithm>

#include "engine/engine_state.h"
#include "plan/noise_scales.h"
#include "sotto/core/error.h"
#include "sotto/core/stopwatch.h"

namespace sotto {

using at::Tensor;

namespace {

// norms (N), double.
std::int64_t count_within(const Tensor& norms, double bound) {
  const auto* values = norms.data_ptr<double>();
  return std::count_if(values, values + norms.numel(), [&](double norm) { return norm <= bound; });
}

struct Piece {
  std::int64_t begin;
  std::vector<std::int64_t> chain_ends;  // from there
};

// At most kBoundedAtOnce samples each.
std::vector<Piece> pieces_of(const std::vector<std::int64_t>& chain_ends) {
  std::vector<Piece> pieces;
  for (const auto end : chain_ends) {
    if (pieces.empty() || end - pieces.back().begin > kBoundedAtOnce) {
      const auto begin = pieces.empty() ? 0 : pieces.back().begin + pieces.back().chain_ends.back();
      pieces.push_back({begin, {}});
    }
    pieces.back().chain_ends.push_back(end - pieces.back().begin);
  }
  return pieces;
}

}  // namespace

std::vector<Tensor> tensors_of(const std::vector<grad::NamedParameter>& parameters) {
  std::vector<Tensor> tensors;
  for (const auto& parameter : parameters) tensors.push_back(parameter.tensor);
  return tensors;
}

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

// One number a sample whose gradient with respect to the scores is the given one: autograd goes
// back from there. gradients (N, ...).
Tensor with_gradients(const Tensor& scores, const Tensor& gradients) {
  return (scores * gradients).flatten(1).sum(1);
}

// In pieces of whole chains, whose per-sample gradients are small enough to be kept.
void EngineState::accumulate_bounded(const Tensor& inputs, const Tensor& labels,
                                     StepReport& report) {
  const Stopwatch watch(seconds.gradients);
  require_fixed_batch_sizes();
  const auto bounds = bounded->gradient_bounds(parameters, max_grad_norm);
  std::vector<Tensor> losses;
  std::int64_t within = 0;
  try {
    for (const auto& piece : pieces_of(part_in_work().chain_ends)) {
      const auto count = piece.chain_ends.back();
      const Tensor scores = bounded->scores(inputs.narrow(0, piece.begin, count));
      const auto of_scores = checked_score_gradients(scores, labels.narrow(0, piece.begin, count));
      const grad::PerSampleGradients gradients(with_gradients(scores, of_scores.gradients),
                                               parameters);
      require_isolated_samples(gradients);
      const Tensor factors = factors_within(gradients.squared_norms(), bounds);
      waiting = false;  // from here on these samples are used
      libtorch_gradients = true;
      gradients.add_to(*sums, factors, piece.chain_ends);
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
