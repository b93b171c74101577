// A small problem to train on.
#pragma once

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "sotto/engine/privacy_engine.h"
#include "tests/core/temporary_folder.h"

namespace sotto {

class TrainingFixture : public testing::Test {
 protected:
  static constexpr std::int64_t kRecords = 200;

  TrainingFixture() {
    torch::manual_seed(5);
    inputs = torch::randn({kRecords, 6});
    labels = (inputs.select(1, 0) + inputs.select(1, 1) > 0).to(torch::kLong);
    model = make_model();
  }

  static torch::nn::Sequential make_model() {
    return torch::nn::Sequential(torch::nn::Linear(6, 8), torch::nn::Tanh(),
                                 torch::nn::Linear(8, 2));
  }

  torch::Tensor losses(const torch::Tensor& records) {
    namespace F = torch::nn::functional;
    return F::cross_entropy(model->forward(inputs.index_select(0, records)),
                            labels.index_select(0, records),
                            F::CrossEntropyFuncOptions().reduction(torch::kNone));
  }

  // Runs until the engine stops.
  void train(PrivacyEngine& engine) {
    while (auto batch = engine.next_batch()) engine.step(losses(batch->indices));
  }

  static PlanOptions options(double noise_multiplier = 1, std::int64_t steps = 10) {
    PlanOptions plan;
    plan.dataset_size = kRecords;
    plan.batch_size = 20;
    plan.steps = steps;
    plan.noise_multiplier = noise_multiplier;
    return plan;
  }

  // All parameters in one vector.
  torch::Tensor weights() {
    std::vector<torch::Tensor> flat;
    for (const auto& parameter : model->parameters()) flat.push_back(parameter.detach().flatten());
    return torch::cat(flat);
  }

  torch::Tensor inputs, labels;
  torch::nn::Sequential model;
};

}  // namespace sotto
