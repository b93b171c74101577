#include "tests/lipschitz/attacked_layer.h"

#include <algorithm>

namespace sotto::lipschitz {

using torch::Tensor;

namespace {

constexpr int kStarts = 2;
constexpr int kSteps = 12;

Tensor norm_of(const Tensor& x) { return x.norm(); }

Tensor wide(const Tensor& x) { return x.to(torch::kDouble); }

}  // namespace

AttackedLayer::AttackedLayer(torch::nn::Sequential network, std::vector<std::int64_t> shape)
    : network_(std::move(network)), shape_(std::move(shape)), layers_(bounded_layers(network_)) {
  network_->to(torch::kDouble);
  const Tensor y = network_->forward(wide(random_of_norm(shape_, 1)));
  output_shape_ = y.sizes().slice(1).vec();
}

void AttackedLayer::shake() {
  torch::NoGradGuard no_gradients;
  network_->to(torch::kFloat);  // as it is trained
  for (auto& parameter : network_->parameters()) parameter.add_(3 * torch::randn_like(parameter));
  project(network_);
  network_->to(torch::kDouble);
}

double AttackedLayer::output(double input) {
  const auto objective = [&](const auto& point) {
    return norm_of(network_->forward(wide(point[0])));
  };
  return search(objective, {{shape_, input}}, kStarts, kSteps).value;
}

double AttackedLayer::displacement(double input, double moved) {
  const auto objective = [&](const auto& point) {
    const Tensor x = wide(point[0]);
    return norm_of(network_->forward(x + wide(point[1])) - network_->forward(x));
  };
  return search(objective, {{shape_, input}, {shape_, moved}}, kStarts, kSteps).value;
}

Tensor AttackedLayer::product(const std::vector<Tensor>& point) {
  return (network_->forward(wide(point[0])) * wide(point[1])).sum();
}

std::vector<Searched> AttackedLayer::input_and_cotangent(double input, double cotangent) const {
  return {{shape_, input}, {output_shape_, cotangent}};
}

double AttackedLayer::cotangent(double input, double cotangent) {
  const auto objective = [&](const auto& point) {
    return norm_of(torch::autograd::grad({product(point)}, {point[0]}, {}, true, true)[0]);
  };
  return search(objective, input_and_cotangent(input, cotangent), kStarts, kSteps).value;
}

double AttackedLayer::parameter(const std::string& name, double input, double cotangent) {
  const Tensor parameter = network_->named_parameters()[layers_.front().name + "." + name];
  const auto objective = [&](const auto& point) {
    return norm_of(torch::autograd::grad({product(point)}, {parameter}, {}, true, true)[0]);
  };
  return search(objective, input_and_cotangent(input, cotangent), kStarts, kSteps).value;
}

Attained attained(AttackedLayer& attacked, double norm) {
  const auto& layer = attacked.layer();
  Attained result;
  result.output = attacked.output(norm) / layer.output_norms({norm}).front();
  const double moved = norm / 10;
  result.displacement = attacked.displacement(norm, moved) / layer.displacements({moved}).front();
  result.cotangent = attacked.cotangent(norm, norm) / layer.cotangents({norm}).front();
  result.most = std::max({result.output, result.displacement, result.cotangent});
  for (const auto& parameter : layer.parameter_bounds({norm}, {norm})) {
    const double share = attacked.parameter(parameter.name, norm, norm) / parameter.bound;
    result.parameter = std::min(result.parameter, share);
    result.most = std::max(result.most, share);
  }
  return result;
}

}  // namespace sotto::lipschitz
