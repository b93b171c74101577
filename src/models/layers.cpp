#include "sotto/models/layers.h"

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

}  // namespace sotto::models
