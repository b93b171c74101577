#include "engine/bounded_source.h"

#include <ATen/ATen.h>

#include <cmath>
#include <span>

#include "engine/clip_factors.h"

namespace sotto {
namespace {

using at::Tensor;

// norms (N), double.
// norms (N), double. What is not finite is in neither.
void count(const Tensor& norms, double bound, ClipCounts& counts) {
  const auto* values = norms.data_ptr<double>();
  for (const double norm : std::span(values, static_cast<std::size_t>(norms.numel()))) {
    counts.silent += norm == 0 ? 1 : 0;
    counts.unclipped += norm > 0 && norm <= bound ? 1 : 0;
    counts.clipped += std::isfinite(norm) && norm > bound ? 1 : 0;
  }
}

// One number per sample, whose gradient with respect to the scores is the given one: autograd goes
// back from there. gradients (N, ...).
Tensor with_gradients(const Tensor& scores, const Tensor& gradients) {
  return (scores * gradients).flatten(1).sum(1);
}

struct Piece {
  std::int64_t begin;
  std::vector<std::int64_t> chain_ends;  // from there

  std::int64_t samples() const { return chain_ends.back(); }
};

// Whole chains, at most kBoundedAtOnce samples each: their per-sample gradients are small enough to
// be kept.
std::vector<Piece> pieces_of(const std::vector<std::int64_t>& chain_ends) {
  std::vector<Piece> pieces;
  for (const auto end : chain_ends) {
    if (pieces.empty() || end - pieces.back().begin > kBoundedAtOnce) {
      const auto begin = pieces.empty() ? 0 : pieces.back().begin + pieces.back().samples();
      pieces.push_back({begin, {}});
    }
    pieces.back().chain_ends.push_back(end - pieces.back().begin);
  }
  return pieces;
}

}  // namespace

PartReport BoundedSource::add(PartInWork& part, const RecordBounds& bounds, BatchSums& sums) {
  part.require_kept_places();
  const auto proven = bounds.proven();
  std::vector<Tensor> losses;
  ClipCounts counts;
  try {
    for (const auto& piece : pieces_of(part.chain_ends())) {
      const auto samples = samples_.piece(piece.begin, piece.samples());
      const Tensor scores = model_.scores(samples.inputs);
      const auto of_scores = checked_score_gradients(model_, scores, samples.labels, bounds.norm());
      const grad::PerSampleGradients gradients(with_gradients(scores, of_scores.gradients),
                                               parameters_);
      require_isolated_samples(gradients);
      const Tensor drawn = part.is_drawn().narrow(0, piece.begin, piece.samples());
      const Tensor factors = factors_within(
          gradients.squared_norms().masked_fill(drawn.logical_not(), std::nan("")), proven);
      part.mark_used();
      sums.add(gradients, factors, piece.chain_ends);
      losses.push_back(of_scores.losses);
      count(of_scores.norms.masked_select(drawn), bounds.norm(), counts);
    }
  } catch (...) {
    if (part.is_used()) part.abandon_batch();
    throw;
  }
  return {.counts = counts,
          .losses = part.of_drawn(losses.size() == 1 ? losses.front() : at::cat(losses))};
}

}  // namespace sotto
