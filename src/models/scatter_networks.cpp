#include "models/scatter_networks.h"

#include <ATen/Parallel.h>
#include <torch/nn.h>

#include <algorithm>
#include <stdexcept>

#include "models/layers.h"
#include "sotto/core/error.h"
#include "sotto/models/models.h"

namespace sotto::models {
namespace {

namespace nn = torch::nn;

constexpr const char* kClassifier = "classifier";
constexpr std::int64_t kSmallestSide = 8;
constexpr std::int64_t kLargestSide = 128;

// Of the shapes (channels, height, width) of pictures and of maps.
struct MapShape {
  std::int64_t channels = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;
};

MapShape picture_shape(const ModelInput& input) {
  if (input.shape.size() != 3) {
    throw std::invalid_argument("a scattering network needs pictures; the samples have " +
                                std::to_string(input.shape.size()) +
                                (input.shape.size() == 1 ? " axis" : " axes") +
                                " (softmax and mlp take any shape)");
  }
  return {input.shape[0], input.shape[1], input.shape[2]};
}

// Few neighbouring channels to a group, so that what sets them apart is kept: 3 where that divides.
std::int64_t channels_of_a_group(std::int64_t channels) {
  std::int64_t size = 3;
  while (channels % size != 0) ++size;
  return size;
}

struct Features {
  Chain layers;
  MapShape shape;
};

Features features_for(const ModelInput& input) {
  const auto picture = picture_shape(input);
  const Scattering scattering(suitable_scattering(picture.height, picture.width));
  const auto& transform = scattering->transform();
  const auto groups =
      picture.channels * transform.channels() / channels_of_a_group(transform.channels());
  Chain layers;
  layers->push_back("unit_range", UnitRange());
  layers->push_back("scattering", scattering);
  layers->push_back("standardised", Standardised(groups));
  return {layers,
          {picture.channels * transform.channels(), transform.map_height(), transform.map_width()}};
}

nn::Sequential network(const Features& features, const Chain& classifier) {
  nn::Sequential model;
  model->push_back("features", features.layers);
  model->push_back(kClassifier, classifier);
  return model;
}

nn::Conv2d convolution(std::int64_t from, std::int64_t to, std::int64_t stride) {
  return nn::Conv2d(nn::Conv2dOptions(from, to, 3).stride(stride).padding(1));
}

Chain grey_classifier(const MapShape& maps, std::int64_t classes) {
  const auto halved = [](std::int64_t size) { return (size + 1) / 2; };
  Chain layers;
  layers->push_back("conv1", convolution(maps.channels, 16, 2));
  layers->push_back("activation1", nn::Tanh());
  layers->push_back("conv2", convolution(16, 32, 1));
  layers->push_back("activation2", nn::Tanh());
  layers->push_back("flatten", nn::Flatten());
  layers->push_back("linear1", nn::Linear(32 * halved(maps.height) * halved(maps.width), 32));
  layers->push_back("activation3", nn::Tanh());
  layers->push_back("linear2", nn::Linear(32, classes));
  return layers;
}

Chain colour_classifier(const MapShape& maps, std::int64_t classes) {
  Chain layers;
  layers->push_back("conv1", convolution(maps.channels, 64, 1));
  layers->push_back("activation1", nn::Tanh());
  layers->push_back("pool1", nn::MaxPool2d(nn::MaxPool2dOptions(2).stride(2)));
  layers->push_back("conv2", convolution(64, 64, 1));
  layers->push_back("activation2", nn::Tanh());
  layers->push_back("flatten", nn::Flatten());
  layers->push_back("linear", nn::Linear(64 * (maps.height / 2) * (maps.width / 2), classes));
  return layers;
}

}  // namespace

torch::Tensor StandardisedImpl::forward(const torch::Tensor& maps) {
  check_argument(maps.dim() == 4 && maps.size(1) % groups == 0, "standardised: expected maps in ",
                 groups, " groups, got ", maps.sizes());
  check_argument(!maps.requires_grad(),
                 "standardised: its inputs ask for a gradient, and it has none");
  const auto count = maps.size(0);
  torch::Tensor values = maps.to(torch::kFloat).contiguous().clone();
  if (count == 0) return values;
  features::standardise(values.data_ptr<float>(), count,
                        {groups, values.numel() / (count * groups)}, at::get_num_threads());
  return values;
}

features::ScatteringOptions suitable_scattering(std::int64_t height, std::int64_t width) {
  constexpr std::int64_t kWidestMap = 10;
  check_argument(
      std::min(height, width) >= kSmallestSide && std::max(height, width) <= kLargestSide,
      "pictures of ", height, "x", width,
      " do not suit a scattering network; accepted: ", kSmallestSide, " to ", kLargestSide,
      " pixels each way");
  features::ScatteringOptions options;
  options.height = height;
  options.width = width;
  while ((std::max(height, width) >> options.scales) > kWidestMap &&
         (std::min(height, width) >> (options.scales + 1)) > 0) {
    ++options.scales;
  }
  return options;
}

nn::Sequential scatter_linear(const ModelInput& input) {
  const auto features = features_for(input);
  const auto& [channels, height, width] = features.shape;
  Chain classifier;
  classifier->push_back("flatten", nn::Flatten());
  classifier->push_back("linear", nn::Linear(channels * height * width, input.classes));
  return network(features, classifier);
}

// arXiv:2011.11660, Tables 10 and 11: one for grey maps, and a wider one for colours.
nn::Sequential scatter_cnn(const ModelInput& input) {
  const auto features = features_for(input);
  return network(features, input.shape[0] == 1 ? grey_classifier(features.shape, input.classes)
                                               : colour_classifier(features.shape, input.classes));
}

nn::Sequential features_of(const nn::Sequential& network) {
  nn::Sequential front;
  auto layer = network->begin();
  for (const auto& item : network->named_children()) {
    if (item.key() == kClassifier) break;
    front->push_back(item.key(), *layer++);
  }
  return front;
}

nn::Sequential classifier_of(const nn::Sequential& network) {
  const auto chain = network->named_children()[kClassifier];
  const auto& layers = dynamic_cast<const ChainImpl&>(*chain);
  nn::Sequential classifier;
  auto layer = layers.begin();
  for (const auto& item : layers.named_children()) classifier->push_back(item.key(), *layer++);
  return classifier;
}

}  // namespace sotto::models
