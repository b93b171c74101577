// Networks of random layers, for images (3, height, width) and two classes.
#pragma once

#include <torch/torch.h>

#include <vector>

namespace sotto::lipschitz {

struct AnyNetwork {
  torch::nn::Sequential network;
  std::vector<std::int64_t> shape;
};

constexpr std::int64_t kAnyClasses = 2;
constexpr double kAnyInputBound = 2;

AnyNetwork any_network(std::uint64_t seed);

}  // namespace sotto::lipschitz
