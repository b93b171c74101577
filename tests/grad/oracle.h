// The slow truth: every sample in a batch of its own.
#pragma once

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <functional>
#include <vector>

#include "sotto/grad/per_sample_gradients.h"

namespace sotto::grad {

// Per-sample losses (n) of samples begin..begin+n-1.
using LossesOf = std::function<torch::Tensor(std::int64_t begin, std::int64_t n)>;

std::vector<NamedParameter> named_parameters(const torch::nn::Module& module);

// Makes batches (n, *shape) of normal variates.
std::function<torch::Tensor(std::int64_t n)> normal(std::vector<std::int64_t> shape);

// Per-sample gradients (N, *shape) by N ordinary backward passes.
std::vector<torch::Tensor> batch_of_one_gradients(const LossesOf& losses_of, std::int64_t samples,
                                                  const std::vector<NamedParameter>& parameters);

// Compares norms, clipped sums and materialised gradients with the oracle, relative to the largest
// entry: 1e-5 in float, 1e-10 in double.
void expect_matches_oracle(const LossesOf& losses_of, std::int64_t samples,
                           const std::vector<NamedParameter>& parameters);

// For a module that maps a batch (N, ...) to (N, ...): random losses, N = 1, 2 and 5, float and
// double. (An empty batch has a test of its own; one sample takes a path without rules.) `input(n)`
// makes a batch.
template <typename Module>
void expect_module_matches_oracle(Module& module,
                                  const std::function<torch::Tensor(std::int64_t)>& input) {
  for (const auto dtype : {torch::kFloat, torch::kDouble}) {
    module->to(dtype);
    for (const std::int64_t n : {1, 2, 5}) {
      SCOPED_TRACE(testing::Message() << "samples " << n << ", dtype " << dtype);
      torch::Tensor x = input(n);
      if (x.is_floating_point()) x = x.to(dtype);
      torch::Tensor weights;
      const LossesOf losses_of = [&](std::int64_t begin, std::int64_t count) {
        const torch::Tensor y = module->forward(x.narrow(0, begin, count));
        if (!weights.defined()) {
          torch::NoGradGuard no_gradients;
          auto shape = y.sizes().vec();
          shape[0] = n;
          weights = torch::randn(shape, y.options());
        }
        return (y * weights.narrow(0, begin, count)).reshape({count, -1}).square().sum(1);
      };
      expect_matches_oracle(losses_of, n, named_parameters(*module));
    }
  }
}

}  // namespace sotto::grad
