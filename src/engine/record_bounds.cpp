#include "engine/record_bounds.h"

#include <stdexcept>

#include "engine/trained_parameters.h"
#include "plan/noise_scales.h"
#include "sotto/core/error.h"

namespace sotto {

RecordBounds::RecordBounds(const Plan& plan, const std::vector<grad::NamedParameter>& parameters,
                           const Threshold& threshold, const BoundedModel* bounded)
    : plan_(plan),
      parameters_(parameters),
      threshold_(threshold),
      bounded_(bounded),
      layers_(layers_of(parameters)) {
  require_proved_sizes();
  if (bounded_ != nullptr) require_bounds_of_plan();
}

// Beyond these the proof of docs/finite-precision.md ends.
void RecordBounds::require_proved_sizes() const {
  constexpr std::int64_t kMostParameters = std::int64_t{1} << 28;
  constexpr std::int64_t kLargestBatch = std::int64_t{1} << 23;
  std::int64_t count = 0;
  for (const auto& parameter : parameters_) count += parameter.tensor.numel();
  check_argument(count <= kMostParameters, "trained parameters: ", count,
                 "; sums are proved for up to 2^28");
  check_argument(plan_.batch_size() <= kLargestBatch, "batch size ", plan_.batch_size(),
                 ": sums are proved for up to 2^23");
}

void RecordBounds::require_bounds_of_plan() const {
  const auto& planned = plan_.options().bounded;
  check_argument(planned.has_value(), "a bounded model needs a plan with its gradient bounds");
  const auto bounds = bounded_->gradient_bounds(parameters_, plan_.options().max_grad_norm);
  check_argument(bounds == planned->bounds,
                 "the plan's gradient bounds are not those of the model");
  static_cast<void>(sotto::noise_scales(bounds, *planned));  // throws if they do not fit
}

ClipRule RecordBounds::clip_rule() const {
  if (groups_) return groups_->rule();
  return {plan_.options().clipping, norm(), layers_};
}

std::vector<double> RecordBounds::proven() const {
  return bounded_->gradient_bounds(parameters_, norm());
}

std::vector<double> RecordBounds::noise_scales() const {
  if (groups_) return groups_->bounds_of_parameters();
  if (bounded_ != nullptr) return sotto::noise_scales(proven(), *plan_.options().bounded);
  std::vector<double> same_for_all(parameters_.size(), norm());
  return same_for_all;
}

void RecordBounds::set_groups(const std::vector<ClipGroup>& groups) {
  const auto* grouped = std::get_if<GroupedClipping>(&plan_.options().clipping);
  groups_ = ClipGroups(groups, grouped != nullptr ? grouped->groups : 0, parameters_.size());
}

void RecordBounds::require_groups() const {
  if (groups_ || !is<GroupedClipping>(plan_.options().clipping)) return;
  throw std::logic_error("grouped clipping: call set_clip_groups() before the first batch");
}

}  // namespace sotto
