// Networks that begin with the scattering transform: features that need no training, and a small
// part behind them that does.
#pragma once

#include <torch/nn/cloneable.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/pimpl.h>

#include "features/standardise.h"
#include "sotto/features/features.h"
#include "sotto/models/models.h"

namespace sotto::models {

// Pixels from -1..1 to 0..1.
class UnitRangeImpl : public torch::nn::Cloneable<UnitRangeImpl> {
 public:
  void reset() override {}
  torch::Tensor forward(const torch::Tensor& x) { return x * 0.5 + 0.5; }
};
TORCH_MODULE(UnitRange);

// Maps (N, C, H, W) to mean 0 and variance 1 in each of `groups` groups of channels, as GroupNorm
// has it without weights, but so that a sample's values are a function of that sample alone, bit
// for bit. Without a gradient.
class StandardisedImpl : public torch::nn::Cloneable<StandardisedImpl> {
 public:
  explicit StandardisedImpl(std::int64_t groups) : groups(groups) {}
  void reset() override {}
  torch::Tensor forward(const torch::Tensor& maps);

  std::int64_t groups;
};
TORCH_MODULE(Standardised);

// J = 2, and more for pictures so large that maps would have more than 10 pixels across; 8 angles,
// order 2. Throws InvalidArgument, saying which sizes are accepted.
features::ScatteringOptions suitable_scattering(std::int64_t height, std::int64_t width);

// "features" (standardised maps) and "classifier": one linear layer (arXiv:2011.11660).
torch::nn::Sequential scatter_linear(const ModelInput& input);
// The same features; the classifier is two convolutions and one linear layer, with tanh.
torch::nn::Sequential scatter_cnn(const ModelInput& input);

// Of a network that has a part named "classifier": everything before it, and it alone. Both share
// the network's parameters.
torch::nn::Sequential features_of(const torch::nn::Sequential& network);
torch::nn::Sequential classifier_of(const torch::nn::Sequential& network);

}  // namespace sotto::models
