// A Lipschitz network and its loss, as the privacy engine takes them.
#pragma once

#include <torch/nn/modules/container/sequential.h>

#include "sotto/engine/bounded_model.h"
#include "sotto/lipschitz/losses.h"
#include "sotto/plan/plan.h"

namespace sotto::lipschitz {

class LipschitzModel : public BoundedModel {
 public:
  // Shares the network's parameters, and projects them. Throws InvalidArgument for a layer without
  // a proven bound.
  LipschitzModel(torch::nn::Sequential network, const Loss& loss);

  std::vector<double> gradient_bounds(const std::vector<grad::NamedParameter>& parameters,
                                      double loss_gradient) const override;
  at::Tensor scores(const at::Tensor& inputs) override;
  ScoreGradients score_gradients(const at::Tensor& scores, const at::Tensor& labels,
                                 double bound) const override;
  void project() override;

  const Loss& loss() const { return loss_; }
  torch::nn::Sequential& network() { return network_; }
  // Trained parameters: those that require a gradient, by name.
  std::vector<grad::NamedParameter> parameters() const;

  // One loss per sample, (N), as autograd alone would compute it: when their sum is differentiated,
  // each sample's gradient with respect to the scores is scaled down to norm `loss_gradient`.
  at::Tensor losses(const at::Tensor& inputs, const at::Tensor& labels, double loss_gradient);

  // A plan's part that concerns this model. `loss_gradient`: the plan's max_grad_norm.
  BoundedNoise bounded_noise(NoiseStrategy strategy, double loss_gradient) const;

 private:
  torch::nn::Sequential network_;
  Loss loss_;
};

// How large the mean gradient of a parameter is compared with the noise of a step. Computed from
// training records without noise: not covered by ε.
struct SignalToNoise {
  std::string parameter;
  double elementwise = 0;  // mean over entries of |mean gradient| / noise
  double average = 0;      // norm of the mean gradient / expected norm of the noise
};

// Of a batch: inputs (N, ...), labels (N). `deviations`: of the noise on the mean gradient, one a
// parameter.
std::vector<SignalToNoise> signal_to_noise(LipschitzModel& model, const at::Tensor& inputs,
                                           const at::Tensor& labels, double loss_gradient,
                                           const std::vector<double>& deviations);

}  // namespace sotto::lipschitz
