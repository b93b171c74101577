#include "gan/pretraining.h"

#include <torch/nn/functional/loss.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/adam.h>
#include <torch/utils.h>

#include <functional>

#include "sotto/core/error.h"

namespace sotto::gan {
namespace {

using at::Tensor;

constexpr std::int64_t kPretrainBatch = 128;

// loss_of(records): a scalar.
void run_epochs(std::vector<Tensor> parameters, std::int64_t samples, std::int64_t epochs,
                const std::function<Tensor(const Tensor&)>& loss_of) {
  torch::optim::Adam optimizer(std::move(parameters), torch::optim::AdamOptions(1e-3));
  for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
    for (const auto& records : torch::randperm(samples, torch::kLong).split(kPretrainBatch)) {
      if (records.size(0) < 2) continue;  // a batch norm needs two
      optimizer.zero_grad();
      loss_of(records).backward();
      optimizer.step();
    }
  }
}

}  // namespace

void pretrain_generator(Generator generator, const train::TensorData& data, std::int64_t classes,
                        std::int64_t epochs) {
  generator->train();
  run_epochs(generator->parameters(), data.size(), epochs, [&](const Tensor& records) {
    const Tensor samples = data.inputs.index_select(0, records);
    const Tensor labels = label_columns(data.labels.index_select(0, records), classes);
    return at::mse_loss(generator->forward(samples.flatten(1), labels), samples);
  });
}

void pretrain_critic(Critic critic, const train::TensorData& data, std::int64_t classes,
                     std::int64_t epochs) {
  auto features = critic->features();
  if (features->parameters().empty()) return;
  const auto width = features->forward(data.inputs.narrow(0, 0, 1)).size(1);
  torch::nn::Linear scores(width, classes);
  auto parameters = features->parameters();
  for (const auto& parameter : scores->parameters()) parameters.push_back(parameter);
  run_epochs(parameters, data.size(), epochs, [&](const Tensor& records) {
    return torch::nn::functional::cross_entropy(
        scores(features->forward(data.inputs.index_select(0, records))),
        data.labels.index_select(0, records));
  });
  for (auto& parameter : features->parameters()) parameter.set_requires_grad(false);
}

}  // namespace sotto::gan
