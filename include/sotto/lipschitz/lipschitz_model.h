// The named Lipschitz networks; and such a network with its loss, as the privacy engine takes it.
#pragma once

#include <torch/nn/modules/container/sequential.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sotto/engine/bounded_model.h"
#include "sotto/lipschitz/losses.h"
#include "sotto/plan/plan.h"

namespace sotto::lipschitz {

struct NetworkOptions {
  std::vector<std::int64_t> shape;  // of one sample: {channels, height, width} or {columns}
  std::int64_t classes = 0;
  double input_bound = 0;  // samples of a larger norm are scaled down; 0: by the shape
};

// What make_network() accepts.
const std::vector<std::string>& network_names();

// A 1-Lipschitz network from samples (N, *shape) to scores (N, classes), projected. Throws
// InvalidArgument, naming what is accepted, for an unknown name or a shape that it cannot take.
//
//   lip-mlp     one hidden layer of 128
//   lip-cnn     two convolutions with L2-norm pooling, then two linear layers
//   lip-resnet  a convolution, residual blocks, L2-norm pooling, two linear layers
torch::nn::Sequential make_network(const std::string& name, const NetworkOptions& options);

// The default of `input_bound`: √(values of a sample)/2, a public number.
double default_input_bound(const std::vector<std::int64_t>& shape);

// A Lipschitz network and its loss.
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

  // The part of a plan that concerns this model. `loss_gradient`: the plan's max_grad_norm.
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

// Of a batch: inputs (N, ...), labels (N). `deviations`: of the noise on the mean gradient, one
// per parameter.
std::vector<SignalToNoise> signal_to_noise(LipschitzModel& model, const at::Tensor& inputs,
                                           const at::Tensor& labels, double loss_gradient,
                                           const std::vector<double>& deviations);

}  // namespace sotto::lipschitz
