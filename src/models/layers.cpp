#include "models/layers.h"

namespace sotto::models {

torch::Tensor TemperedSigmoidImpl::forward(const torch::Tensor& x) {
  return torch::sigmoid(x * options.temperature) * options.scale - options.offset;
}

ResidualImpl::ResidualImpl(torch::nn::Sequential the_body, torch::nn::Sequential the_shortcut)
    : body(register_module("body", std::move(the_body))), shortcut(std::move(the_shortcut)) {
  if (!shortcut.is_empty()) register_module("shortcut", shortcut);
}

torch::Tensor ResidualImpl::forward(const torch::Tensor& x) {
  return body->forward(x) + (shortcut.is_empty() ? x : shortcut->forward(x));
}

std::shared_ptr<torch::nn::Module> ChainImpl::clone(
    const torch::optional<torch::Device>& device) const {
  auto copy = std::make_shared<ChainImpl>();
  auto layer = begin();
  for (const auto& item : named_children()) copy->push_back(item.key(), (layer++)->clone(device));
  return copy;
}

torch::Tensor ImageNetScaleImpl::forward(const torch::Tensor& x) {
  const auto channels = [&](const double(&values)[3]) {
    return torch::tensor({values[0], values[1], values[2]}, x.options().requires_grad(false))
        .view({1, 3, 1, 1});
  };
  return ((x + 1) * 0.5 - channels(kMean)) / channels(kDeviation);
}

}  // namespace sotto::models
