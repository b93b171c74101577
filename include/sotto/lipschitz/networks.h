// The named Lipschitz networks.
#pragma once

#include <torch/nn/modules/container/sequential.h>

#include <cstdint>
#include <string>
#include <vector>

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

}  // namespace sotto::lipschitz
