// The named networks, and the scattering transform as a layer: plain torch::nn, nothing private
// about them.
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/cloneable.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/pimpl.h>

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "sotto/features/features.h"

namespace sotto::models {

struct ModelInput {
  std::vector<std::int64_t> shape;  // of one sample: {channels, height, width} or {columns}
  std::int64_t classes = 0;
  std::int64_t hidden_units = 512;  // of the classifier; vgg16 only
};

// What make_model() accepts.
const std::vector<std::string>& model_names();

// A network from samples (N, *shape) to scores (N, classes). Throws std::invalid_argument, naming
// what is accepted, for an unknown name or a shape that the network cannot take.
//
//   softmax   one linear layer
//   mlp       two hidden layers of 256, ReLU
//   cnn       conv 16@8x8 stride 2 padding 3, ReLU, max-pool 2 stride 1, conv 32@4x4 stride 2,
//             ReLU, max-pool 2 stride 1, linear 32, ReLU, linear
//   cnn-tanh  the same with tanh, which bounds activations and trains better under clipping
//             (arXiv:2007.14191)
//   convnet   three blocks of two 3x3 convolutions with GroupNorm, for colour images of 32x32
//   resnet20  nine residual blocks with GroupNorm, for colour images of 32x32
//   scatter-linear
//             the scattering transform, standardised in small groups of channels, and one linear
//             layer: for pictures of 8x8 to 128x128; the features need no training
//             (arXiv:2011.11660)
//   scatter-cnn
//             the same features, and two convolutions and one or two linear layers, with tanh
//   vgg16     13 convolutions, named as torchvision names them, and a new classifier with one
//             hidden layer: for colour images of 32x32 and more, meant to start from given
//             weights (arXiv:1409.1556, configuration D)
torch::nn::Sequential make_model(const std::string& name, const ModelInput& input);

// The scattering transform: fixed, without parameters, and without a gradient.
//
// pictures (N, C, H, W) -> (N, C channels(), map height, map width), colour by colour. A sample's
// features are a function of that sample alone, so that private training on them promises what it
// promises on the pictures.
class ScatteringImpl : public torch::nn::Cloneable<ScatteringImpl> {
 public:
  // Throws InvalidArgument as features::Scattering does.
  explicit ScatteringImpl(const features::ScatteringOptions& options);

  void reset() override {}
  void pretty_print(std::ostream& stream) const override;
  // Throws InvalidArgument for another shape, and for pictures that ask for a gradient.
  at::Tensor forward(const at::Tensor& pictures);

  const features::Scattering& transform() const { return *transform_; }

 private:
  std::shared_ptr<const features::Scattering> transform_;
};
TORCH_MODULE(Scattering);

}  // namespace sotto::models
