// What the engine needs of a model whose per-sample gradients are bounded by proof: nothing is
// clipped but the gradient with respect to its scores, and no per-sample gradient is computed.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "sotto/grad/per_sample_gradients.h"

namespace sotto {

// Of samples, (N) each: losses, and norms of the losses' gradients with respect to the scores.
struct LossGradients {
  at::Tensor losses;
  at::Tensor norms;
};

class BoundedModel {
 public:
  virtual ~BoundedModel() = default;

  // Bound of one sample's gradient with respect to each of these parameters, if its loss' gradient
  // with respect to the scores has norm at most `loss_gradient`; holds after project(). Throws
  // InvalidArgument, naming it, for a parameter that has none.
  virtual std::vector<double> gradient_bounds(const std::vector<grad::NamedParameter>& parameters,
                                              double loss_gradient) const = 0;

  // One loss a sample, (N), for inputs (N, ...) and labels (N). When their sum is differentiated,
  // each sample's gradient with respect to the scores is scaled down to norm `loss_gradient`, and
  // the number of samples that needed no scaling is added to *unclipped.
  virtual at::Tensor losses(const at::Tensor& inputs, const at::Tensor& labels,
                            double loss_gradient, std::int64_t* unclipped) = 0;

  // What a search for a threshold looks at, for inputs (N, ...) and labels (N).
  virtual LossGradients loss_gradients(const at::Tensor& inputs, const at::Tensor& labels) = 0;

  // Puts the parameters back to where the bounds hold: after every step.
  virtual void project() = 0;
};

}  // namespace sotto
