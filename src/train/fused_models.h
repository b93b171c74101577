// The fast path of a run, where its model has one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sotto/grad/grad.h"

namespace sotto::train {

struct TrainingState;

struct FusedModels {
  std::unique_ptr<grad::FusedModel> model;     // null: gradients are LibTorch's
  std::unique_ptr<grad::FusedModel> averaged;  // null if model is
  std::string reason;                          // why there is none

  // By the configuration's wish. Throws InvalidArgument if it wants fused kernels and there is a
  // layer that has none.
  static FusedModels compile(const TrainingState& state,
                             const std::vector<std::int64_t>& sample_shape);
};

}  // namespace sotto::train
