// What the engine needs from a model whose per-sample gradients are bounded by proof. Only the
// gradient with respect to its scores is clipped; a computed gradient of parameters is scaled down
// only where rounding made it exceed its bound.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "sotto/grad/grad.h"

namespace sotto {

// Of samples and their scores (N, ...).
struct ScoreGradients {
  at::Tensor losses;     // (N)
  at::Tensor gradients;  // (N, ...), of the losses with respect to the scores, scaled down
  at::Tensor norms;      // (N), double, contiguous: before that; NaN where scores are not finite
};

class BoundedModel {
 public:
  virtual ~BoundedModel() = default;

  // Bound on one sample's gradient with respect to each of these parameters, if the gradient of its
  // loss with respect to the scores has norm at most `loss_gradient`; holds after project(). Throws
  // InvalidArgument, naming it, for a parameter that has none.
  virtual std::vector<double> gradient_bounds(const std::vector<grad::NamedParameter>& parameters,
                                              double loss_gradient) const = 0;

  // Of inputs (N, ...), for autograd to go back through.
  virtual at::Tensor scores(const at::Tensor& inputs) = 0;

  // Of samples with these scores and labels (N): each gradient larger than `bound` is scaled down
  // to it, and is zero where scores are not finite. Throws InvalidArgument for a label that is
  // not a class.
  virtual ScoreGradients score_gradients(const at::Tensor& scores, const at::Tensor& labels,
                                         double bound) const = 0;

  // Moves the parameters back to where the bounds hold. Called after every step.
  virtual void project() = 0;
};

}  // namespace sotto
