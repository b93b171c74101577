// Networks to measure, with data for one batch.
#pragma once

#include <torch/nn/modules/container/sequential.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sotto::train {

struct Network {
  std::shared_ptr<torch::nn::Module> module;
  // Scores (N, classes) of inputs (N, *shape).
  std::function<at::Tensor(const at::Tensor&)> forward;
  torch::nn::Sequential sequential{nullptr};  // set if the module is one: it may be fused
  std::vector<std::int64_t> shape;            // of a sample
  std::int64_t classes = 0;

  std::int64_t parameters() const;  // how many numbers
  // 4 bytes each: all, and those that are trained.
  std::int64_t bytes() const { return 4 * parameters(); }
  std::int64_t trained_bytes() const;
};

Network network_of(torch::nn::Sequential model, std::vector<std::int64_t> shape,
                   std::int64_t classes);

// Networks besides those of models::make_model(): wide-mlp (784-1024-1024-10), vgg-head
// (25088-512-102), lstm (128 wide, 32 steps) and transformer (a block of width 128, 32 tokens).
// Their shapes and classes are their own.
const std::vector<std::string>& benchmark_names();
// One of those; `scale` multiplies the width of wide-mlp's hidden layers. Throws
// std::invalid_argument for any other name.
Network make_benchmark(const std::string& name, std::int64_t scale = 1);

struct Work {
  // Random numbers as data.
  Work(Network the_network, std::int64_t the_batch);

  at::Tensor losses() const;  // (N)

  Network network;
  std::int64_t batch;
  at::Tensor inputs;  // (N, *shape)
  at::Tensor labels;  // (N)
};

}  // namespace sotto::train
