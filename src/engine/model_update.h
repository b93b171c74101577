// From a batch's sums to new weights: noise, mean, optimizer.
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/optim/optimizer.h>

#include <vector>

#include "engine/noise.h"
#include "sotto/engine/bounded_model.h"
#include "sotto/grad/grad.h"

namespace sotto {

class ModelUpdate {
 public:
  // All must outlive it. `parameters`: all that the optimizer may move. `bounded`: the model to be
  // projected after every update, null if there is none.
  ModelUpdate(torch::optim::Optimizer& optimizer, std::vector<grad::NamedParameter>& parameters,
              BoundedModel* bounded)
      : optimizer_(optimizer), parameters_(parameters), bounded_(bounded) {}

  // Moves a bounded model to where its bounds hold, unless it is there already.
  void make_bounds_hold();
  // They may not hold any more: weights were loaded.
  void doubt_bounds() { projected_ = false; }

  // Throws InvalidArgument if the optimizer would move a parameter other than these.
  void require_no_others();
  // The means that apply() uses: noise of standard deviation deviations[p] is added to the sum of
  // parameter p, and the result divided. The sums must be settled, and the release charged.
  void make_noised_means(grad::ExactSums& sums, const std::vector<double>& deviations,
                         double divisor, Noise& noise);
  // Gives the means to the optimizer, then projects.
  void apply();

 private:
  at::Tensor& mean_to_fill(std::size_t parameter);

  torch::optim::Optimizer& optimizer_;
  std::vector<grad::NamedParameter>& parameters_;
  BoundedModel* bounded_;
  bool projected_ = false;         // the bounds hold for the present weights
  std::vector<at::Tensor> means_;  // what the optimizer was given last
};

}  // namespace sotto
