// Compares the fused path with a batch-of-one loop in double precision.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <vector>

#include "sotto/grad/grad.h"

namespace sotto::grad {

struct FusedCase {
  torch::nn::Sequential model{nullptr};
  std::vector<std::int64_t> sample_shape;
  std::int64_t outputs = 0;
  FusedLoss loss = FusedLoss::kCrossEntropy;
};

// Losses, scores, squared norms and clipped sums, for the given numbers of samples and threads, all
// relative to the largest entry: 1e-5. Clip factors differ by parameter and sample, some are 0.
void expect_fused_matches_oracle(const FusedCase& test, const std::vector<std::int64_t>& samples,
                                 const std::vector<int>& threads);

// The same without clipping: the gradient of the sum of losses.
void expect_plain_fused_matches_autograd(const FusedCase& test, std::int64_t samples, int threads);

// The ends of chains of 64 samples.
std::vector<std::int64_t> even_chains(std::int64_t samples);

// What compile() says about a model that it does not take; empty if it does.
std::string reason_not_fused(const torch::nn::Sequential& model,
                             const std::vector<std::int64_t>& sample_shape);

}  // namespace sotto::grad
