#include "train/workload.h"

#include <torch/nn.h>
#include <torch/utils.h>

#include "sotto/train/evaluation.h"

namespace sotto::train {
namespace {

std::vector<std::int64_t> with_batch(std::int64_t batch, std::vector<std::int64_t> shape) {
  shape.insert(shape.begin(), batch);
  return shape;
}

}  // namespace

Network Network::of(torch::nn::Sequential model, std::vector<std::int64_t> shape,
                    std::int64_t classes) {
  Network network;
  network.module = model.ptr();
  network.sequential = model;
  network.forward = [model](const at::Tensor& x) mutable { return model->forward(x); };
  network.shape = std::move(shape);
  network.classes = classes;
  return network;
}

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

Workload::Workload(Network the_network, std::int64_t the_batch)
    : network(std::move(the_network)),
      batch(the_batch),
      inputs(torch::randn(with_batch(batch, network.shape))),
      labels(torch::randint(network.classes, {batch}, torch::kLong)) {}

at::Tensor Workload::losses() const { return per_sample_losses(network.forward(inputs), labels); }

}  // namespace sotto::train
