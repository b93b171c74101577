#include "bench/works.h"

#include <stdexcept>

#include "sotto/models/models.h"
#include "sotto/train/evaluation.h"

namespace sotto::bench {
namespace {

namespace nn = torch::nn;

constexpr std::int64_t kClasses = 10;
constexpr std::int64_t kSequence = 32;
constexpr std::int64_t kWidth = 128;

Work of_sequential(nn::Sequential model, std::vector<std::int64_t> shape, std::int64_t classes,
                   std::int64_t batch) {
  shape.insert(shape.begin(), batch);
  Work work;
  work.batch = batch;
  work.model = model.ptr();
  work.sequential = model;
  work.forward = [model](const torch::Tensor& x) mutable { return model->forward(x); };
  work.inputs = torch::randn(shape);
  work.labels = torch::randint(classes, {batch});
  return work;
}

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
Work of_sequences(std::int64_t features, std::int64_t batch) {
  auto model = std::make_shared<Model>();
  Work work;
  work.batch = batch;
  work.model = model;
  work.forward = [model](const torch::Tensor& x) { return model->forward(x); };
  work.inputs = torch::randn({batch, kSequence, features});
  work.labels = torch::randint(kClasses, {batch});
  return work;
}

nn::Sequential wide_mlp(std::int64_t scale) {
  const std::int64_t width = 1024 * scale;
  return nn::Sequential(nn::Linear(784, width), nn::ReLU(), nn::Linear(width, width), nn::ReLU(),
                        nn::Linear(width, kClasses));
}

nn::Sequential vgg_head() {
  return nn::Sequential(nn::Linear(25088, 512), nn::ReLU(), nn::Linear(512, 102));
}

Work build(const std::string& name, std::int64_t batch, std::int64_t scale) {
  if (name == "cnn") {
    return of_sequential(models::make_model("cnn", {{1, 28, 28}, kClasses}), {1, 28, 28}, kClasses,
                         batch);
  }
  if (name == "mlp") return of_sequential(wide_mlp(scale), {784}, kClasses, batch);
  if (name == "vgg-head") return of_sequential(vgg_head(), {25088}, 102, batch);
  if (name == "resnet20") {
    return of_sequential(models::make_model("resnet20", {{3, 32, 32}, kClasses}), {3, 32, 32},
                         kClasses, batch);
  }
  if (name == "lstm") return of_sequences<LstmImpl>(64, batch);
  if (name == "transformer") return of_sequences<TransformerBlockImpl>(kWidth, batch);
  throw std::invalid_argument(
      "--only '" + name + "': expected cnn, mlp, vgg-head, resnet20, lstm, transformer or noise");
}

}  // namespace

torch::Tensor Work::losses() const { return train::per_sample_losses(forward(inputs), labels); }

std::int64_t Work::parameters() const {
  std::int64_t count = 0;
  for (const auto& parameter : model->parameters()) count += parameter.numel();
  return count;
}

const std::vector<std::string>& work_names() {
  static const std::vector<std::string> names = {"cnn",      "mlp",  "vgg-head",
                                                 "resnet20", "lstm", "transformer"};
  return names;
}

std::vector<std::int64_t> batches_of(const std::string& name) {
  if (name == "cnn") return {64, 256, 1024};
  if (name == "mlp") return {64, 256, 1024};
  if (name == "vgg-head") return {16, 64};
  return {64};
}

Work make_work(const std::string& name, std::int64_t batch, std::int64_t scale) {
  Work work = build(name, batch, scale);
  work.name = name;
  return work;
}

}  // namespace sotto::bench
