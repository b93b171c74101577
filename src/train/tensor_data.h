// Data sets as tensors.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "sotto/data/labelled_data.h"
#include "sotto/train/training_config.h"

namespace sotto::train {

struct TensorData {
  at::Tensor inputs;  // (n, *shape), float
  at::Tensor labels;  // (n), int64

  std::int64_t size() const { return labels.size(0); }
};

struct TensorTrainTest {
  TensorData train;
  TensorData test;
  std::vector<std::int64_t> shape;
  std::vector<std::string> classes;
};

TensorData to_tensors(data::LabelledData data);
// Loads what the configuration names. Throws InvalidArgument for fewer than 2 training samples.
TensorTrainTest load_data(const TrainingConfig& config);

}  // namespace sotto::train
