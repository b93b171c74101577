// A small Lipschitz network to train without clipping, and an optimizer that shows what it was
// given.
#pragma once

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <memory>
#include <vector>

#include "sotto/engine/privacy_engine.h"
#include "sotto/lipschitz/lipschitz_model.h"

namespace sotto::lipschitz {

// Plain SGD that keeps the gradients of every step.
class RecordingOptimizer : public torch::optim::SGD {
 public:
  RecordingOptimizer(const std::vector<torch::Tensor>& parameters, double learning_rate)
      : torch::optim::SGD(parameters, learning_rate) {}

  torch::Tensor step(LossClosure closure = nullptr) override {
    std::vector<torch::Tensor> now;
    for (const auto& tensor : param_groups().front().params()) {
      now.push_back(tensor.grad().detach().to(torch::kDouble).clone());
    }
    gradients.push_back(now);
    return torch::optim::SGD::step(closure);
  }

  std::vector<std::vector<torch::Tensor>> gradients;  // by step, then by parameter
};

class CliplessFixture : public testing::Test {
 protected:
  static constexpr std::int64_t kCliplessRecords = 60;
  static constexpr double kHardlyNoisy = 1e-12;

  CliplessFixture() {
    torch::manual_seed(7);
    inputs = torch::randn({kCliplessRecords, 6});
    labels = (inputs.select(1, 0) + inputs.select(1, 1) > 0).to(torch::kLong);
    use(make_network("lip-mlp", {{6}, 2}));
  }

  // Starts anew with this network.
  void use(torch::nn::Sequential the_network, double learning_rate = 0.1) {
    network = std::move(the_network);
    model = std::make_unique<LipschitzModel>(network, Loss({.temperature = 4}, 2));
    optimizer = std::make_unique<RecordingOptimizer>(network->parameters(), learning_rate);
  }

  PlanOptions plan(double noise_multiplier, std::int64_t steps, double loss_gradient = 2) const {
    PlanOptions options;
    options.dataset_size = inputs.size(0);
    options.batch_size = 20;
    options.steps = steps;
    options.noise_multiplier = noise_multiplier;
    options.max_grad_norm = loss_gradient;
    options.bounded = model->bounded_noise(NoiseStrategy::kGlobal, loss_gradient);
    return options;
  }
  // Every record in every batch.
  PlanOptions full_plan(double noise_multiplier, std::int64_t steps,
                        double loss_gradient = 2) const {
    auto options = plan(noise_multiplier, steps, loss_gradient);
    options.batch_size = options.dataset_size;
    options.sampling = accounting::Sampling::kNone;
    return options;
  }

  PrivacyEngine open(const PlanOptions& options, EngineOptions engine = {.insecure_seed = 3}) {
    return {*model, *network, *optimizer, Plan(options), engine};
  }

  StepReport step(PrivacyEngine& engine, const Batch& batch) {
    return engine.step(inputs.index_select(0, batch.indices),
                       labels.index_select(0, batch.indices));
  }
  void train(PrivacyEngine& engine) {
    while (auto batch = engine.next_batch()) step(engine, *batch);
  }

  // The records' sum of gradients at the present weights, by one ordinary backward pass.
  std::vector<torch::Tensor> sum_of_gradients(const torch::Tensor& records, double clip = 2) {
    const torch::Tensor losses =
        model->losses(inputs.index_select(0, records), labels.index_select(0, records), clip);
    auto sums = torch::autograd::grad({losses.sum()}, network->parameters());
    for (auto& sum : sums) sum = sum.to(torch::kDouble);
    return sums;
  }

  torch::Tensor inputs, labels;
  torch::nn::Sequential network{nullptr};
  std::unique_ptr<LipschitzModel> model;
  std::unique_ptr<RecordingOptimizer> optimizer;
};

}  // namespace sotto::lipschitz
