// A network and one batch of random data for it: what a measured training step works on.
#pragma once

#include <torch/nn/modules/container/sequential.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace sotto::train {

// A classifier whose layers need not be a Sequential.
struct Network {
  static Network of(torch::nn::Sequential model, std::vector<std::int64_t> shape,
                    std::int64_t classes);

  std::shared_ptr<torch::nn::Module> module;
  // Scores (N, classes) of inputs (N, *shape).
  std::function<at::Tensor(const at::Tensor&)> forward;
  torch::nn::Sequential sequential{nullptr};  // the module if it is one: it may be fused
  std::vector<std::int64_t> shape;            // of a sample
  std::int64_t classes = 0;

  std::int64_t parameters() const;     // how many numbers
  std::int64_t trained_bytes() const;  // 4 for each that is trained
};

struct Workload {
  // Inputs from a normal distribution, labels from a uniform one.
  Workload(Network the_network, std::int64_t the_batch);

  at::Tensor losses() const;  // cross-entropy (N), with its graph

  Network network;
  std::int64_t batch;
  at::Tensor inputs;  // (N, *shape)
  at::Tensor labels;  // (N)
};

}  // namespace sotto::train
