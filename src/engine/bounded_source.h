// Gradients of a model that are bounded by proof.
#pragma once

#include <utility>
#include <vector>

#include "engine/gradient_source.h"
#include "engine/labelled_samples.h"
#include "sotto/engine/bounded_model.h"

namespace sotto {

// Clips the gradient of the loss with respect to the scores; that of parameters is scaled down only
// where rounding made it exceed its bound.
class BoundedSource final : public GradientSource {
 public:
  // Model and parameters must outlive it.
  BoundedSource(BoundedModel& model, LabelledSamples samples,
                const std::vector<grad::NamedParameter>& parameters)
      : model_(model), samples_(std::move(samples)), parameters_(parameters) {}

  void require_samples(std::int64_t expected) const override { samples_.require(expected); }
  bool computes_losses() const override { return true; }
  PartReport add(PartInWork& part, const RecordBounds& bounds, BatchSums& sums) override;

 private:
  BoundedModel& model_;
  LabelledSamples samples_;
  const std::vector<grad::NamedParameter>& parameters_;
};

}  // namespace sotto
