// A whole network under attack: inputs and labels are chosen to make one sample's gradient large.
#pragma once

#include <string>
#include <vector>

#include "sotto/lipschitz/lipschitz_model.h"
#include "tests/lipschitz/ascent.h"

namespace sotto::lipschitz {

class AttackedNetwork {
 public:
  // `shape`: of one sample; `norm`: of the samples that are tried.
  AttackedNetwork(torch::nn::Sequential network, const Loss& loss, std::int64_t classes,
                  std::vector<std::int64_t> shape, double norm);

  // Steps of gradient and noise, of this size, each followed by project().
  void train_wildly(int steps, double size);

  // Names the parameter, its gradient and its bound if one of them was exceeded by any sample
  // found, otherwise "". Every parameter is attacked for itself, and all together. `loss_gradient`:
  // to which the loss' gradient is clipped.
  std::string why_bounds_fail(double loss_gradient);

  // Bound of the whole gradient, over the largest found by the last attack.
  double looseness() const { return looseness_; }

 private:
  std::vector<torch::Tensor> gradients(const torch::Tensor& x, std::int64_t label,
                                       double loss_gradient);
  std::vector<torch::Tensor> gradients_in_training(const torch::Tensor& x, std::int64_t label,
                                                   double loss_gradient);
  // Of one parameter's gradient, or of all.
  torch::Tensor gradient_norm(const std::vector<torch::Tensor>& gradients, std::size_t which) const;
  // An input whose gradient of this parameter (or of all) is large, for the worst label.
  double attack(std::size_t which, double loss_gradient);

  LipschitzModel model_;
  std::vector<grad::NamedParameter> parameters_;
  std::int64_t classes_;
  std::vector<std::int64_t> shape_;
  double norm_;
  double looseness_ = 0;
};

}  // namespace sotto::lipschitz
