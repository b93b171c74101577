#include "train/benchmark_networks.h"

#include <torch/nn.h>

#include "sotto/core/error.h"

namespace sotto::train {
namespace {

namespace nn = torch::nn;

constexpr std::int64_t kBenchmarkClasses = 10;
constexpr std::int64_t kVggFeatures = 25088;
constexpr std::int64_t kFlowers = 102;
constexpr std::int64_t kSequence = 32;
constexpr std::int64_t kWidth = 128;

// The last output of an LSTM over 32 steps.
struct LastOutputLstm : nn::Module {
  LastOutputLstm()
      : lstm(register_module("lstm", nn::LSTM(nn::LSTMOptions(64, kWidth).batch_first(true)))),
        head(register_module("head", nn::Linear(kWidth, kBenchmarkClasses))) {}
  torch::Tensor forward(const torch::Tensor& x) {
    return head->forward(std::get<0>(lstm->forward(x)).select(1, kSequence - 1));
  }
  nn::LSTM lstm;
  nn::Linear head;
};

// The mean over 32 tokens after one encoder layer.
struct TransformerBlock : nn::Module {
  TransformerBlock()
      : layer(register_module(
            "layer", nn::TransformerEncoderLayer(nn::TransformerEncoderLayerOptions(kWidth, 4)
                                                     .dim_feedforward(4 * kWidth)
                                                     .dropout(0)))),
        head(register_module("head", nn::Linear(kWidth, kBenchmarkClasses))) {}
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
  network.classes = kBenchmarkClasses;
  return network;
}

nn::Sequential wide_mlp(std::int64_t scale) {
  const std::int64_t width = 1024 * scale;
  return nn::Sequential(nn::Linear(784, width), nn::ReLU(), nn::Linear(width, width), nn::ReLU(),
                        nn::Linear(width, kBenchmarkClasses));
}

nn::Sequential vgg_head() {
  return nn::Sequential(nn::Linear(kVggFeatures, 512), nn::ReLU(), nn::Linear(512, kFlowers));
}

}  // namespace

const std::vector<std::string>& benchmark_network_names() {
  static const std::vector<std::string> names = {"wide-mlp", "vgg-head", "lstm", "transformer"};
  return names;
}

Network make_benchmark_network(const std::string& name, std::int64_t scale) {
  if (name == "wide-mlp") return Network::of(wide_mlp(scale), {784}, kBenchmarkClasses);
  if (name == "vgg-head") return Network::of(vgg_head(), {kVggFeatures}, kFlowers);
  if (name == "lstm") return of_sequences<LastOutputLstm>(64);
  if (name == "transformer") return of_sequences<TransformerBlock>(kWidth);
  throw InvalidArgument("network '" + name +
                        "': accepted are wide-mlp, vgg-head, lstm and transformer");
}

}  // namespace sotto::train
