// Gradients from the autograd graph of the caller's losses.
#pragma once

#include <vector>

#include "engine/gradient_source.h"

namespace sotto {

class GraphSource final : public GradientSource {
 public:
  // Both must outlive it. losses (n): one for each sample.
  GraphSource(const at::Tensor& losses, const std::vector<grad::NamedParameter>& parameters)
      : losses_(losses), parameters_(parameters) {}

  void require_samples(std::int64_t expected) const override;
  bool computes_losses() const override { return false; }
  // Throws grad::NotSeparable if the losses cannot be taken apart.
  PartReport add(PartInWork& part, const RecordBounds& bounds, BatchSums& sums) override;

 private:
  const at::Tensor& losses_;
  const std::vector<grad::NamedParameter>& parameters_;
};

}  // namespace sotto
