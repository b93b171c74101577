#include "models/vgg16.h"

#include <torch/nn.h>

#include "models/layers.h"

namespace sotto::models {
namespace {

// Names are the places in the Sequential, as torchvision's are: 0, 2, 5, 7, ...
Chain convolutions() {
  constexpr std::int64_t kPool = 0;
  Chain layers;
  std::int64_t from = 3;
  for (const std::int64_t to : {64L, 64L, kPool, 128L, 128L, kPool, 256L, 256L, 256L, kPool, 512L,
                                512L, 512L, kPool, 512L, 512L, 512L, kPool}) {
    if (to == kPool) {
      layers->push_back(torch::nn::MaxPool2d(torch::nn::MaxPool2dOptions(2).stride(2)));
      continue;
    }
    layers->push_back(torch::nn::Conv2d(torch::nn::Conv2dOptions(from, to, 3).padding(1)));
    layers->push_back(torch::nn::ReLU());
    from = to;
  }
  return layers;
}

template <typename Layers>
Layers classifier(std::int64_t classes, std::int64_t hidden_units) {
  Layers layers;
  layers->push_back(torch::nn::Linear(kVggFeatures, hidden_units));
  layers->push_back(torch::nn::ReLU());
  layers->push_back(torch::nn::Linear(hidden_units, classes));
  return layers;
}

}  // namespace

torch::nn::Sequential vgg16_classifier(std::int64_t classes, std::int64_t hidden_units) {
  return classifier<torch::nn::Sequential>(classes, hidden_units);
}

torch::nn::Sequential vgg16(std::int64_t classes, std::int64_t hidden_units) {
  torch::nn::Sequential model;
  model->push_back("scale", ImageNetScale());
  model->push_back("features", convolutions());
  model->push_back("avgpool",
                   torch::nn::AdaptiveAvgPool2d(torch::nn::AdaptiveAvgPool2dOptions({7, 7})));
  model->push_back("flatten", torch::nn::Flatten());
  model->push_back("classifier", classifier<Chain>(classes, hidden_units));
  return model;
}

}  // namespace sotto::models
