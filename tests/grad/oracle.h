// The slow truth: every sample in a batch of its own.
#pragma once

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sotto/grad/grad.h"

namespace sotto::grad {

// Per-sample losses (n) of samples begin..begin+n-1.
using LossesOf = std::function<torch::Tensor(std::int64_t begin, std::int64_t n)>;

std::vector<NamedParameter> named_parameters(const torch::nn::Module& module);

// Makes batches (n, *shape) of normal variates.
std::function<torch::Tensor(std::int64_t n)> normal(std::vector<std::int64_t> shape);

// Per-sample gradients (N, *shape) by N ordinary backward passes.
std::vector<torch::Tensor> batch_of_one_gradients(const LossesOf& losses_of, std::int64_t samples,
                                                  const std::vector<NamedParameter>& parameters);

// Compares norms, sums with random factors, sums clipped at the median norm, and materialised
// gradients with the oracle, relative to the largest entry: 1e-5 in float, 1e-10 in double; and the
// norm of what each sample adds to the clipped sum with the bound. Says what differs first; "" if
// nothing does. Zero samples have gradients of the right shapes.
std::string difference_from_oracle(const LossesOf& losses_of, std::int64_t samples,
                                   const std::vector<NamedParameter>& parameters);

void expect_matches_oracle(const LossesOf& losses_of, std::int64_t samples,
                           const std::vector<NamedParameter>& parameters);

// Maps a batch (N, ...) to (N, ...).
struct Layer {
  std::shared_ptr<torch::nn::Module> module;
  std::function<torch::Tensor(const torch::Tensor&)> forward;
  std::function<torch::Tensor(std::int64_t n)> input;  // makes a batch
};

// Random losses of `samples` samples; the layer is left in that precision.
std::string difference_from_oracle(const Layer& layer, std::int64_t samples,
                                   torch::ScalarType dtype);

enum class OnNothing { kRuns, kRefusedByLibTorch };

// N = 0, 1, 2 and 5, float and double. (One sample takes a path without rules.) Where LibTorch
// itself cannot run the layer on an empty batch, that is checked instead.
void expect_matches_oracle(const Layer& layer, OnNothing on_nothing = OnNothing::kRuns);

template <typename Module>
void expect_module_matches_oracle(Module& module,
                                  const std::function<torch::Tensor(std::int64_t)>& input,
                                  OnNothing on_nothing = OnNothing::kRuns) {
  std::shared_ptr<torch::nn::Module> shared;
  if constexpr (std::is_convertible_v<Module&, std::shared_ptr<torch::nn::Module>>) {
    shared = module;
  } else {
    shared = module.ptr();
  }
  expect_matches_oracle(
      Layer{shared, [&](const torch::Tensor& x) { return module->forward(x); }, input}, on_nothing);
}

}  // namespace sotto::grad
