// Training that went astray, told by what may be looked at.
#pragma once

#include <torch/nn/modules/container/sequential.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runs/held_out_release.h"
#include "sotto/train/evaluation.h"
#include "sotto/train/trainer.h"

namespace sotto::train {

// What is released, and public test records: nothing else is looked at.
struct ReleasedModel {
  torch::nn::Sequential network;    // the weights that the run publishes
  std::vector<std::int64_t> shape;  // of one sample
  std::int64_t classes = 2;
  std::optional<Evaluation> public_test = {};
  std::optional<runs::HeldOutRelease> held_out = {};  // of private records: the noised counts
};

// A sentence on what is wrong with it, with a learning rate to try; nothing if nothing is. Wrong
// are: weights that are not finite; a public test loss above that of guessing; and, without public
// test records, scores so far apart for made-up inputs that the released share of wrong answers
// makes them worse than guessing, or, where no share was released, that nothing justifies them.
std::optional<std::string> divergence_of(const ReleasedModel& model, const TrainingConfig& config);

// A learning rate to try instead of the configuration's: at most a tenth of it, and at most the
// default for its model, data and optimizer.
double smaller_rate(const TrainingConfig& config);

}  // namespace sotto::train
