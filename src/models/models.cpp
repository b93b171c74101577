#include "sotto/models/models.h"

#include <torch/nn.h>

#include <functional>
#include <map>
#include <stdexcept>

#include "models/layers.h"
#include "models/scatter_networks.h"
#include "models/vgg16.h"

namespace sotto::models {
namespace {

namespace nn = torch::nn;

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const auto size : shape) text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

std::int64_t features(const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  for (const auto size : shape) count *= size;
  return count;
}

// How many values leave the layers so far for one sample.
std::int64_t flattened_size(nn::Sequential& layers, const std::vector<std::int64_t>& shape) {
  torch::NoGradGuard no_gradients;
  auto sizes = shape;
  sizes.insert(sizes.begin(), 1);
  return layers->forward(torch::zeros(sizes)).numel();
}

void require_image(const std::string& name, const ModelInput& input, std::int64_t side) {
  const auto& shape = input.shape;
  if (shape.size() == 3 && shape[1] >= side && shape[2] >= side) return;
  throw std::invalid_argument("model '" + name + "' needs images of at least " +
                              std::to_string(side) + "x" + std::to_string(side) +
                              " pixels; the samples have shape " + shape_text(shape) +
                              " (softmax and mlp take any shape)");
}

nn::Sequential softmax(const ModelInput& input) {
  nn::Sequential model;
  model->push_back("flatten", nn::Flatten());
  model->push_back("linear", nn::Linear(features(input.shape), input.classes));
  return model;
}

nn::Sequential mlp(const ModelInput& input) {
  nn::Sequential model;
  model->push_back("flatten", nn::Flatten());
  model->push_back("linear1", nn::Linear(features(input.shape), 256));
  model->push_back("relu1", nn::ReLU());
  model->push_back("linear2", nn::Linear(256, 256));
  model->push_back("relu2", nn::ReLU());
  model->push_back("linear3", nn::Linear(256, input.classes));
  return model;
}

template <typename Activation>
nn::Sequential cnn(const ModelInput& input) {
  require_image("cnn", input, 14);
  nn::Sequential model;
  model->push_back("conv1",
                   nn::Conv2d(nn::Conv2dOptions(input.shape[0], 16, 8).stride(2).padding(3)));
  model->push_back("activation1", Activation());
  model->push_back("pool1", nn::MaxPool2d(nn::MaxPool2dOptions(2).stride(1)));
  model->push_back("conv2", nn::Conv2d(nn::Conv2dOptions(16, 32, 4).stride(2)));
  model->push_back("activation2", Activation());
  model->push_back("pool2", nn::MaxPool2d(nn::MaxPool2dOptions(2).stride(1)));
  model->push_back("flatten", nn::Flatten());
  const auto width = flattened_size(model, input.shape);
  model->push_back("linear1", nn::Linear(width, 32));
  model->push_back("activation3", Activation());
  model->push_back("linear2", nn::Linear(32, input.classes));
  return model;
}

void add_block(nn::Sequential& model, const std::string& number, std::int64_t from,
               std::int64_t to) {
  for (const std::string part : {"a", "b"}) {
    const auto name = number + part;
    model->push_back("conv" + name, nn::Conv2d(nn::Conv2dOptions(from, to, 3).padding(1)));
    model->push_back("norm" + name, nn::GroupNorm(8, to));
    model->push_back("activation" + name, nn::Tanh());
    from = to;
  }
  model->push_back("pool" + number, nn::AvgPool2d(nn::AvgPool2dOptions(2)));
}

nn::Sequential convnet(const ModelInput& input) {
  require_image("convnet", input, 16);
  nn::Sequential model;
  add_block(model, "1", input.shape[0], 32);
  add_block(model, "2", 32, 64);
  add_block(model, "3", 64, 128);
  model->push_back("flatten", nn::Flatten());
  const auto width = flattened_size(model, input.shape);
  model->push_back("linear1", nn::Linear(width, 128));
  model->push_back("activation4", nn::Tanh());
  model->push_back("linear2", nn::Linear(128, input.classes));
  return model;
}

// Two 3x3 convolutions beside a shortcut, then ReLU (arXiv:1512.03385), with GroupNorm.
void add_residual_block(nn::Sequential& model, const std::string& number, std::int64_t from,
                        std::int64_t to, std::int64_t stride) {
  const auto conv = [](std::int64_t in, std::int64_t out, std::int64_t kernel) {
    return nn::Conv2dOptions(in, out, kernel).bias(false);
  };
  nn::Sequential body;
  body->push_back("conv1", nn::Conv2d(conv(from, to, 3).stride(stride).padding(1)));
  body->push_back("norm1", nn::GroupNorm(8, to));
  body->push_back("activation", nn::ReLU());
  body->push_back("conv2", nn::Conv2d(conv(to, to, 3).padding(1)));
  body->push_back("norm2", nn::GroupNorm(8, to));
  nn::Sequential shortcut{nullptr};
  if (from != to) {
    shortcut = nn::Sequential();
    shortcut->push_back("conv", nn::Conv2d(conv(from, to, 1).stride(stride)));
  }
  model->push_back("block" + number, Residual(body, shortcut));
  model->push_back("activation" + number, nn::ReLU());
}

nn::Sequential resnet20(const ModelInput& input) {
  require_image("resnet20", input, 16);
  nn::Sequential model;
  model->push_back("conv",
                   nn::Conv2d(nn::Conv2dOptions(input.shape[0], 16, 3).padding(1).bias(false)));
  model->push_back("norm", nn::GroupNorm(8, 16));
  model->push_back("activation", nn::ReLU());
  std::int64_t from = 16;
  for (const std::int64_t to : {16, 32, 64}) {
    for (int i = 0; i < 3; ++i) {
      const auto number = std::to_string(to) + std::string(1, static_cast<char>('a' + i));
      add_residual_block(model, number, from, to, from == to ? 1 : 2);
      from = to;
    }
  }
  model->push_back("pool", nn::AdaptiveAvgPool2d(nn::AdaptiveAvgPool2dOptions({1, 1})));
  model->push_back("flatten", nn::Flatten());
  model->push_back("linear", nn::Linear(64, input.classes));
  return model;
}

nn::Sequential vgg16_for(const ModelInput& input) {
  require_image("vgg16", input, 32);
  if (input.shape[0] != 3) {
    throw std::invalid_argument("model 'vgg16' needs 3 colour channels; the samples have " +
                                std::to_string(input.shape[0]));
  }
  return vgg16(input.classes, input.hidden_units);
}

using Maker = std::function<nn::Sequential(const ModelInput&)>;

const std::map<std::string, Maker>& makers() {
  static const std::map<std::string, Maker> table{{"softmax", softmax},
                                                  {"mlp", mlp},
                                                  {"cnn", cnn<nn::ReLU>},
                                                  {"cnn-tanh", cnn<nn::Tanh>},
                                                  {"convnet", convnet},
                                                  {"resnet20", resnet20},
                                                  {"scatter-linear", scatter_linear},
                                                  {"scatter-cnn", scatter_cnn},
                                                  {"vgg16", vgg16_for}};
  return table;
}

}  // namespace

const std::vector<std::string>& model_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& [name, maker] : makers()) list.push_back(name);
    return list;
  }();
  return names;
}

nn::Sequential make_model(const std::string& name, const ModelInput& input) {
  const auto maker = makers().find(name);
  if (maker == makers().end()) {
    std::string accepted;
    for (const auto& known : model_names()) accepted += (accepted.empty() ? "" : ", ") + known;
    throw std::invalid_argument("model '" + name + "': accepted are " + accepted);
  }
  if (input.classes < 2) {
    throw std::invalid_argument("a model needs at least 2 classes, got " +
                                std::to_string(input.classes));
  }
  return maker->second(input);
}

}  // namespace sotto::models
