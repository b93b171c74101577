#include "sotto/lipschitz/lipschitz_model.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "lipschitz/sensitivity.h"
#include "sotto/core/error.h"
#include "sotto/lipschitz/fixed_layers.h"

namespace sotto::lipschitz {
namespace {

// Forward and backward passes run in single precision; docs/privacy.md says how this was chosen.
constexpr double kRoundingSlack = 1.001;

}  // namespace

LipschitzModel::LipschitzModel(torch::nn::Sequential network, const Loss& loss)
    : network_(std::move(network)), loss_(loss) {
  static_cast<void>(gradient_bounds(parameters(), loss_.lipschitz()));  // throws if there are none
  project();
}

std::vector<grad::NamedParameter> LipschitzModel::parameters() const {
  std::vector<grad::NamedParameter> trained;
  for (const auto& item : network_->named_parameters()) {
    if (item.value().requires_grad()) trained.push_back({item.key(), item.value()});
  }
  return trained;
}

std::vector<double> LipschitzModel::gradient_bounds(
    const std::vector<grad::NamedParameter>& parameters, double loss_gradient) const {
  std::map<std::string, double> proved;
  for (const auto& parameter :
       lipschitz::gradient_bounds(network_, std::min(loss_gradient, loss_.lipschitz()))) {
    proved[parameter.name] = parameter.bound;
  }
  std::vector<double> bounds;
  for (const auto& parameter : parameters) {
    const auto found = proved.find(parameter.name);
    check_argument(found != proved.end(), "parameter '", parameter.name,
                   "': no bound of its gradient is proved");
    bounds.push_back(found->second * kRoundingSlack);
  }
  return bounds;
}

at::Tensor LipschitzModel::scores(const at::Tensor& inputs) { return network_->forward(inputs); }

ScoreGradients LipschitzModel::score_gradients(const at::Tensor& scores, const at::Tensor& labels,
                                               double bound) const {
  return loss_.gradients(scores, labels, bound);
}

at::Tensor LipschitzModel::losses(const at::Tensor& inputs, const at::Tensor& labels,
                                  double loss_gradient) {
  return loss_(with_clipped_gradient(scores(inputs), loss_gradient), labels);
}

void LipschitzModel::project() { lipschitz::project(network_); }

BoundedNoise LipschitzModel::bounded_noise(NoiseStrategy strategy, double loss_gradient) const {
  BoundedNoise noise;
  noise.strategy = strategy;
  noise.bounds = gradient_bounds(parameters(), loss_gradient);
  return noise;
}

std::vector<SignalToNoise> signal_to_noise(LipschitzModel& model, const at::Tensor& inputs,
                                           const at::Tensor& labels, double loss_gradient,
                                           const std::vector<double>& deviations) {
  const auto parameters = model.parameters();
  check_argument(deviations.size() == parameters.size(), "signal to noise: got ", deviations.size(),
                 " deviations for ", parameters.size(), " parameters");
  std::vector<at::Tensor> trained;
  for (const auto& parameter : parameters) trained.push_back(parameter.tensor);
  const at::Tensor loss = model.losses(inputs, labels, loss_gradient).mean();
  const auto gradients = torch::autograd::grad({loss}, trained);
  std::vector<SignalToNoise> all;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    const at::Tensor gradient = gradients[i].to(at::kDouble);
    const double noise_norm = deviations[i] * std::sqrt(static_cast<double>(gradient.numel()));
    all.push_back({parameters[i].name, gradient.abs().mean().item<double>() / deviations[i],
                   gradient.norm().item<double>() / noise_norm});
  }
  return all;
}

}  // namespace sotto::lipschitz
