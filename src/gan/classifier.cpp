#include "gan/classifier.h"

#include <torch/nn/functional/loss.h>
#include <torch/optim/adam.h>
#include <torch/utils.h>

#include <algorithm>

#include "sotto/grad/grad.h"
#include "sotto/models/models.h"

namespace sotto::gan {
namespace {

using at::Tensor;

constexpr std::int64_t kBatch = 128;
constexpr std::int64_t kAtOnce = 1000;

class ClassifierTraining {
 public:
  ClassifierTraining(torch::nn::Sequential model, const train::TensorData& data,
                     const std::vector<std::int64_t>& sample_shape)
      : model_(std::move(model)), data_(data), optimizer_(model_->parameters(), kRate) {
    fused_ = grad::FusedModel::compile(model_, {.sample_shape = sample_shape}).model;
  }

  void run(std::int64_t epochs) {
    const auto total = epochs * ((data_.size() + kBatch - 1) / kBatch);
    std::int64_t step = 0;
    for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
      for (const auto& records : torch::randperm(data_.size(), torch::kLong).split(kBatch)) {
        set_rate(1 - static_cast<double>(step++) / static_cast<double>(total));
        fused_ ? set_fused_gradients(records) : set_gradients(records);
        optimizer_.step();
      }
    }
  }

 private:
  static constexpr double kRate = 1e-3;

  void set_rate(double share) {
    for (auto& group : optimizer_.param_groups()) {
      static_cast<torch::optim::AdamOptions&>(group.options()).lr(kRate * share);
    }
  }

  void set_gradients(const Tensor& records) {
    optimizer_.zero_grad();
    torch::nn::functional::cross_entropy(model_->forward(data_.inputs.index_select(0, records)),
                                         data_.labels.index_select(0, records))
        .backward();
  }

  void set_fused_gradients(const Tensor& records) {
    fused_->backward({data_.inputs, data_.labels, records});
  }

  torch::nn::Sequential model_;
  const train::TensorData& data_;
  torch::optim::Adam optimizer_;
  std::unique_ptr<grad::FusedModel> fused_;
};

}  // namespace

std::string classifier_name(const std::vector<std::int64_t>& sample_shape) {
  constexpr std::int64_t kLeastSide = 14;
  const bool images =
      sample_shape.size() == 3 && sample_shape[1] >= kLeastSide && sample_shape[2] >= kLeastSide;
  return images ? "cnn" : "mlp";
}

torch::nn::Sequential train_classifier(const train::TensorData& data,
                                       const std::vector<std::int64_t>& sample_shape,
                                       std::int64_t classes, std::int64_t epochs) {
  auto model = models::make_model(classifier_name(sample_shape), {sample_shape, classes});
  ClassifierTraining(model, data, sample_shape).run(epochs);
  model->eval();
  return model;
}

Tensor probabilities(torch::nn::Sequential classifier, const Tensor& inputs) {
  torch::NoGradGuard no_gradients;
  std::vector<Tensor> parts;
  for (const auto& part : inputs.split(kAtOnce)) {
    parts.push_back(classifier->forward(part).softmax(1));
  }
  return at::cat(parts);
}

double accuracy(torch::nn::Sequential classifier, const train::TensorData& data) {
  const Tensor predicted = probabilities(std::move(classifier), data.inputs).argmax(1);
  return predicted.eq(data.labels).to(at::kDouble).mean().item<double>();
}

}  // namespace sotto::gan
