#include "tests/lipschitz/attacked_network.h"

#include <algorithm>
#include <cmath>

namespace sotto::lipschitz {

using torch::Tensor;

namespace {

constexpr int kNetworkStarts = 1;
constexpr int kNetworkSteps = 10;

}  // namespace

AttackedNetwork::AttackedNetwork(torch::nn::Sequential network, const Loss& loss,
                                 std::int64_t classes, std::vector<std::int64_t> shape, double norm)
    : model_(std::move(network), loss),
      parameters_(model_.parameters()),
      classes_(classes),
      shape_(std::move(shape)),
      norm_(norm) {}

std::vector<Tensor> AttackedNetwork::gradients(const Tensor& x, std::int64_t label,
                                               double loss_gradient) {
  std::vector<Tensor> trained;
  for (const auto& parameter : parameters_) trained.push_back(parameter.tensor);
  const Tensor losses = model_.losses(x, torch::tensor({label}), loss_gradient);
  return torch::autograd::grad({losses.sum()}, trained, {}, true, true);
}

// By the engine's way, which keeps no graph to ascend.
std::vector<Tensor> AttackedNetwork::gradients_in_training(const Tensor& x, std::int64_t label,
                                                           double loss_gradient) {
  std::vector<Tensor> trained;
  for (const auto& parameter : parameters_) trained.push_back(parameter.tensor);
  const Tensor scores = model_.scores(x);
  const auto of_scores = model_.score_gradients(scores, torch::tensor({label}), loss_gradient);
  return torch::autograd::grad({scores}, trained, {of_scores.gradients});
}

Tensor AttackedNetwork::gradient_norm(const std::vector<Tensor>& gradients,
                                      std::size_t which) const {
  std::vector<Tensor> squares;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (which != i && which != gradients.size()) continue;
    squares.push_back(gradients[i].to(torch::kDouble).square().sum());
  }
  return torch::stack(squares).sum().sqrt();
}

double AttackedNetwork::attack(std::size_t which, double loss_gradient) {
  double largest = 0;
  for (std::int64_t label = 0; label < classes_; ++label) {
    const auto objective = [&](const std::vector<Tensor>& point) {
      return gradient_norm(gradients(point[0], label, loss_gradient), which);
    };
    const auto worst = search(objective, {{shape_, norm_}}, kNetworkStarts, kNetworkSteps);
    const auto trained_on = gradients_in_training(worst.at[0], label, loss_gradient);
    const double norm = gradient_norm(trained_on, which).item<double>();
    if (!std::isfinite(norm)) return norm;
    largest = std::max({largest, worst.value, norm});
  }
  return largest;
}

std::string AttackedNetwork::why_bounds_fail(double loss_gradient) {
  const auto bounds = model_.gradient_bounds(parameters_, loss_gradient);
  double square = 0;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const double found = attack(i, loss_gradient);
    square += bounds[i] * bounds[i];
    if (!(found <= bounds[i])) {
      return parameters_[i].name + ": gradient " + std::to_string(found) + ", bound " +
             std::to_string(bounds[i]);
    }
  }
  const double found = attack(bounds.size(), loss_gradient);
  looseness_ = std::sqrt(square) / found;
  return looseness_ >= 1 ? "" : "all parameters: gradient " + std::to_string(found);
}

void AttackedNetwork::train_wildly(int steps, double size) {
  for (int step = 0; step < steps; ++step) {
    const auto all = gradients(random_of_norm(shape_, norm_), step % classes_, 1e6);
    torch::NoGradGuard no_gradients;
    for (std::size_t i = 0; i < all.size(); ++i) {
      auto tensor = parameters_[i].tensor;
      tensor.sub_(size * (all[i] + torch::randn_like(tensor)));
    }
    model_.project();
  }
}

}  // namespace sotto::lipschitz
