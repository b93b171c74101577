// Training that went astray, told by what may be looked at.
#pragma once

#include <torch/nn/modules/container/sequential.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sotto/train/evaluation.h"
#include "sotto/train/training_config.h"

namespace sotto::train {

// What is released, and public test records: nothing else is looked at.
struct ReleasedModel {
  torch::nn::Sequential network;    // the weights that the run publishes
  std::vector<std::int64_t> shape;  // of one sample
  std::int64_t classes = 2;
  std::optional<Evaluation> public_test = {};
};

// A sentence on what is wrong with it, with a learning rate to try; nothing if nothing is. Wrong
// are: weights that are not finite, a test loss far above that of guessing, and, without public
// test records, scores for made-up inputs that are absurdly far apart.
std::optional<std::string> divergence_of(const ReleasedModel& model, const TrainingConfig& config);

}  // namespace sotto::train
