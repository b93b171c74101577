// For batches that are drawn to search a threshold: norms instead of gradients.
#pragma once

#include <utility>

#include "engine/gradient_source.h"
#include "engine/labelled_samples.h"
#include "engine/threshold_search.h"
#include "sotto/engine/bounded_model.h"

namespace sotto {

// Adds nothing to the sums. Norms are those of the gradients with respect to the scores.
class NormSource final : public GradientSource {
 public:
  // Model and search must outlive it.
  NormSource(BoundedModel& model, LabelledSamples samples, ThresholdSearch& search)
      : model_(model), samples_(std::move(samples)), search_(search) {}

  void require_samples(std::int64_t expected) const override { samples_.require(expected); }
  bool computes_losses() const override { return true; }
  PartReport add(PartInWork& part, const RecordBounds& bounds, BatchSums& sums) override;

 private:
  BoundedModel& model_;
  LabelledSamples samples_;
  ThresholdSearch& search_;
};

}  // namespace sotto
