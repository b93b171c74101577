// Gradients from fused kernels.
#pragma once

#include <vector>

#include "engine/gradient_source.h"
#include "sotto/grad/grad.h"

namespace sotto {

class FusedSource final : public GradientSource {
 public:
  // All must outlive it. `trained`: the parameters that the model must be compiled for.
  FusedSource(grad::FusedModel& model, const grad::FusedBatch& batch,
              const std::vector<grad::NamedParameter>& trained)
      : model_(model), batch_(batch), trained_(trained) {}

  void require_samples(std::int64_t expected) const override;
  bool computes_losses() const override { return true; }
  PartReport add(PartInWork& part, const RecordBounds& bounds, BatchSums& sums) override;

 private:
  void require_same_parameters() const;
  grad::FusedBatch drawn_samples(const PartInWork& part) const;

  grad::FusedModel& model_;
  const grad::FusedBatch& batch_;
  const std::vector<grad::NamedParameter>& trained_;
};

}  // namespace sotto
