#include "sotto/train/evaluation.h"

#include <torch/nn.h>

namespace sotto::train {
namespace {

using at::Tensor;

class EvaluationMode {
 public:
  explicit EvaluationMode(torch::nn::Sequential& model)
      : model_(model), was_training_(model->is_training()) {
    model_->eval();
  }
  ~EvaluationMode() { model_->train(was_training_); }
  EvaluationMode(const EvaluationMode&) = delete;
  EvaluationMode& operator=(const EvaluationMode&) = delete;

 private:
  torch::nn::Sequential& model_;
  bool was_training_;
};

}  // namespace

Tensor scores_of(torch::nn::Sequential& model, const Tensor& inputs, std::int64_t at_once) {
  torch::NoGradGuard no_gradients;
  const EvaluationMode mode(model);
  std::vector<Tensor> scores;
  for (const auto& part : inputs.split(at_once)) scores.push_back(model->forward(part));
  return torch::cat(scores);
}

Tensor per_sample_losses(const Tensor& scores, const Tensor& labels) {
  namespace F = torch::nn::functional;
  return F::cross_entropy(scores, labels, F::CrossEntropyFuncOptions().reduction(torch::kNone));
}

std::int64_t held_out_at_once(accounting::Adjacency adjacency) {
  return adjacency == accounting::Adjacency::kAddRemove ? 1 : kEvaluatedAtOnce;
}

Evaluation evaluate(torch::nn::Sequential& model, const Tensor& inputs, const Tensor& labels,
                    std::int64_t classes, std::int64_t at_once) {
  return evaluate_scores(scores_of(model, inputs, at_once), labels, classes);
}

Evaluation evaluate_scores(const Tensor& scores, const Tensor& labels, std::int64_t classes) {
  torch::NoGradGuard no_gradients;
  const Tensor predictions = scores.argmax(1);
  Evaluation result;
  result.scores = scores;
  result.loss = per_sample_losses(scores, labels).mean().item<double>();
  result.accuracy = (predictions == labels).to(torch::kDouble).mean().item<double>();
  const Tensor counts = torch::bincount(labels * classes + predictions, {}, classes * classes);
  for (std::int64_t truth = 0; truth < classes; ++truth) {
    std::vector<std::int64_t> row;
    for (std::int64_t guess = 0; guess < classes; ++guess) {
      row.push_back(counts[truth * classes + guess].item<std::int64_t>());
    }
    result.confusion.push_back(std::move(row));
  }
  return result;
}

Tensor predict(torch::nn::Sequential& model, const Tensor& inputs) {
  return scores_of(model, inputs).argmax(1);
}

}  // namespace sotto::train
