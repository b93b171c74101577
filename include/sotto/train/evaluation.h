// How good a model is on data that it was not trained on.
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/modules/container/sequential.h>

#include <cstdint>
#include <vector>

#include "sotto/accounting/guarantee.h"

namespace sotto::train {

struct Evaluation {
  double loss = 0;      // mean cross-entropy
  double accuracy = 0;  // in [0, 1]
  // confusion[truth][prediction]
  std::vector<std::vector<std::int64_t>> confusion;
  at::Tensor scores;  // (n, classes): what all of it comes from
};

// Samples that go through a model at once.
constexpr std::int64_t kEvaluatedAtOnce = 1000;

// inputs (n, *shape), labels (n), n >= 1. The model is left in the mode it was in.
Evaluation evaluate(torch::nn::Sequential& model, const at::Tensor& inputs,
                    const at::Tensor& labels, std::int64_t classes,
                    std::int64_t at_once = kEvaluatedAtOnce);

// Scores (n, classes) of inputs (n, *shape), a part at a time. The model is left in its mode.
at::Tensor scores_of(torch::nn::Sequential& model, const at::Tensor& inputs,
                     std::int64_t at_once = kEvaluatedAtOnce);

// How many at once for answers that are released about private records: LibTorch's kernels may
// round a sample by how many there are, so where one may be missing each goes alone.
std::int64_t held_out_at_once(accounting::Adjacency adjacency);

// The same from scores (n, classes).
Evaluation evaluate_scores(const at::Tensor& scores, const at::Tensor& labels,
                           std::int64_t classes);

// The class of the highest score for each input: (n).
at::Tensor predict(torch::nn::Sequential& model, const at::Tensor& inputs);

// Cross-entropy of each sample: (n).
at::Tensor per_sample_losses(const at::Tensor& scores, const at::Tensor& labels);

}  // namespace sotto::train
