#include "engine/model_update.h"

#include <ATen/ATen.h>

#include "engine/trained_parameters.h"

namespace sotto {

void ModelUpdate::make_bounds_hold() {
  if (bounded_ != nullptr && !projected_) bounded_->project();
  projected_ = true;
}

void ModelUpdate::require_no_others() { forbid_other_gradients(optimizer_, parameters_); }

void ModelUpdate::make_noised_means(grad::ExactSums& sums, const std::vector<double>& deviations,
                                    double divisor, Noise& noise) {
  means_.resize(parameters_.size());
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    noise.release_to(mean_to_fill(i), sums.values(i), sums.unit(i), deviations[i], divisor);
  }
}

// The memory of the step before serves again, unless somebody else holds it.
at::Tensor& ModelUpdate::mean_to_fill(std::size_t parameter) {
  const at::Tensor& like = parameters_[parameter].tensor;
  at::Tensor& mean = means_[parameter];
  const bool mine = mean.defined() && mean.use_count() == 1 && mean.storage().use_count() == 1 &&
                    mean.is_contiguous() && mean.sizes() == like.sizes();
  if (!mine) mean = at::empty(like.sizes(), like.options().requires_grad(false));
  return mean;
}

void ModelUpdate::apply() {
  for (std::size_t i = 0; i < means_.size(); ++i) {
    parameters_[i].tensor.mutable_grad() = means_[i];
  }
  projected_ = false;  // should the optimizer or the projection fail
  optimizer_.step();
  make_bounds_hold();
  for (auto& parameter : parameters_) parameter.tensor.mutable_grad() = at::Tensor();
}

}  // namespace sotto
