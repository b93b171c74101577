#include "train/works.h"

#include <torch/nn.h>

#include <stdexcept>

namespace sotto::train {
namespace {

namespace nn = torch::nn;

constexpr std::int64_t kClasses = 10;
constexpr std::int64_t kSequence = 32;
constexpr std::int64_t kWidth = 128;

// The last output of an LSTM over 32 steps.
struct LstmImpl : nn::Module {
  LstmImpl()
      : lstm(register_module("lstm", nn::LSTM(nn::LSTMOptions(64, kWidth).batch_first(true)))),
        head(register_module("head", nn::Linear(kWidth, kClasses))) {}
  torch::Tensor forward(const torch::Tensor& x) {
    return head->forward(std::get<0>(lstm->forward(x)).select(1, kSequence - 1));
  }
  nn::LSTM lstm;
  nn::Linear head;
};

// The mean over 32 tokens after one encoder layer.
struct TransformerBlockImpl : nn::Module {
  TransformerBlockImpl()
      : layer(register_module(
            "layer", nn::TransformerEncoderLayer(nn::TransformerEncoderLayerOptions(kWidth, 4)
                                                     .dim_feedforward(4 * kWidth)
                                                     .dropout(0)))),
        head(register_module("head", nn::Linear(kWidth, kClasses))) {}
  torch::Tensor forward(const torch::Tensor& x) {
    return head->forward(layer->forward(x.transpose(0, 1)).mean(0));
  }
  nn::TransformerEncoderLayer layer;
  nn::Linear head;
};

template <typename Model>
Network of_sequences(std::int64_t features) {
  auto model = std::make_shared<Model>();
  Network network;
  network.module = model;
  network.forward = [model](const torch::Tensor& x) { return model->forward(x); };
  network.shape = {kSequence, features};
  network.classes = kClasses;
  return network;
}

nn::Sequential wide_mlp(std::int64_t scale) {
  const std::int64_t width = 1024 * scale;
  return nn::Sequential(nn::Linear(784, width), nn::ReLU(), nn::Linear(width, width), nn::ReLU(),
                        nn::Linear(width, kClasses));
}

nn::Sequential vgg_head() {
  return nn::Sequential(nn::Linear(25088, 512), nn::ReLU(), nn::Linear(512, 102));
}

std::vector<std::int64_t> with_batch(std::int64_t batch, std::vector<std::int64_t> shape) {
  shape.insert(shape.begin(), batch);
  return shape;
}

}  // namespace

std::int64_t Network::parameters() const {
  std::int64_t count = 0;
  for (const auto& parameter : module->parameters()) count += parameter.numel();
  return count;
}

std::int64_t Network::trained_bytes() const {
  std::int64_t count = 0;
  for (const auto& parameter : module->parameters()) {
    if (parameter.requires_grad()) count += parameter.numel();
  }
  return 4 * count;
}

Network network_of(nn::Sequential model, std::vector<std::int64_t> shape, std::int64_t classes) {
  Network network;
  network.module = model.ptr();
  network.sequential = model;
  network.forward = [model](const torch::Tensor& x) mutable { return model->forward(x); };
  network.shape = std::move(shape);
  network.classes = classes;
  return network;
}

const std::vector<std::string>& benchmark_names() {
  static const std::vector<std::string> names = {"wide-mlp", "vgg-head", "lstm", "transformer"};
  return names;
}

Network make_benchmark(const std::string& name, std::int64_t scale) {
  if (name == "wide-mlp") return network_of(wide_mlp(scale), {784}, kClasses);
  if (name == "vgg-head") return network_of(vgg_head(), {25088}, 102);
  if (name == "lstm") return of_sequences<LstmImpl>(64);
  if (name == "transformer") return of_sequences<TransformerBlockImpl>(kWidth);
  throw std::invalid_argument("network '" + name +
                              "': accepted are wide-mlp, vgg-head, lstm and transformer");
}

Work::Work(Network the_network, std::int64_t the_batch)
    : network(std::move(the_network)),
      batch(the_batch),
      inputs(torch::randn(with_batch(batch, network.shape))),
      labels(torch::randint(network.classes, {batch}, torch::kLong)) {}

at::Tensor Work::losses() const {
  return nn::functional::cross_entropy(
      network.forward(inputs), labels,
      nn::functional::CrossEntropyFuncOptions().reduction(torch::kNone));
}

}  // namespace sotto::train
