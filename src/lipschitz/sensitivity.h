// Bounds of a whole network: forwards, backwards, and of every parameter's gradient.
#pragma once

#include <torch/nn/modules/container/sequential.h>

#include <memory>
#include <string>
#include <vector>

#include "sotto/lipschitz/bounded_layer.h"

namespace sotto::lipschitz {

// A layer of a network and its bounds. A layer of torch::nn that needs no more than its type (ReLU,
// Flatten, Identity, MaxPool2d without overlap) is taken as it is.
struct NamedLayer {
  std::string name;
  const BoundedLayer* layer;
  std::shared_ptr<BoundedLayer> owned;  // for layers of torch::nn
};

// Throws InvalidArgument, naming the layer, the reason and what to use instead, for a layer without
// a proven bound.
std::vector<NamedLayer> bounded_layers(const torch::nn::Sequential& model);

struct LayerBounds {
  std::string name;
  std::string kind;
  double output = 0;                       // ‖y‖ at most
  double cotangent = 0;                    // ‖∂ℓ/∂y‖ at most
  std::vector<ParameterBound> parameters;  // names within the model
};

// From the first layer to the last, for inputs of any norm (an InputBound must come first) and a
// loss whose gradient has norm at most `loss_gradient`. Throws InvalidArgument if a bound is
// infinite.
std::vector<LayerBounds> layer_bounds(const torch::nn::Sequential& model, double loss_gradient);

// The same for parameters alone, by name, in the order of the model.
std::vector<ParameterBound> gradient_bounds(const torch::nn::Sequential& model,
                                            double loss_gradient);

// How far scores can move when an input moves by 1, at most, with the parameters as they are (an
// average of projected ones, say).
double lipschitz_constant(const torch::nn::Sequential& model);

// Puts every layer's parameters back to where the bounds hold.
void project(torch::nn::Sequential& model);

}  // namespace sotto::lipschitz
