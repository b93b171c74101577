// By how much one record can move the sum of each parameter's gradients: what clipping enforces and
// noise covers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/clip_groups.h"
#include "engine/threshold.h"
#include "plan/clip_rule.h"
#include "sotto/engine/bounded_model.h"
#include "sotto/grad/grad.h"
#include "sotto/plan/plan.h"

namespace sotto {

class RecordBounds {
 public:
  // All must outlive it. `bounded`: the model whose gradients are bounded by proof; null if they
  // are clipped. Throws InvalidArgument for more parameters or larger batches than sums are proved
  // for, and for a bounded model unless the plan holds its bounds.
  RecordBounds(const Plan& plan, const std::vector<grad::NamedParameter>& parameters,
               const Threshold& threshold, const BoundedModel* bounded);

  // The threshold in use.
  double norm() const { return threshold_.norm(); }
  // How samples are clipped. Not for bounded models.
  ClipRule clip_rule() const;
  // For each parameter, what is proved for one sample at the threshold in use. Bounded models only.
  std::vector<double> proven() const;
  // For each parameter, what the plan's noise multiplier is relative to.
  std::vector<double> noise_scales() const;

  // Throws InvalidArgument unless they are as the plan says (see ClipGroups).
  void set_groups(const std::vector<ClipGroup>& groups);
  // Throws std::logic_error if clipping is grouped and the groups were not set.
  void require_groups() const;

 private:
  void require_proved_sizes() const;
  void require_bounds_of_plan() const;

  const Plan& plan_;
  const std::vector<grad::NamedParameter>& parameters_;
  const Threshold& threshold_;
  const BoundedModel* bounded_;
  std::vector<std::int64_t> layers_;
  std::optional<ClipGroups> groups_;
};

}  // namespace sotto
