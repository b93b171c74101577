// Data sets as tensors.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "data/labelled_data.h"
#include "sotto/train/trainer.h"

namespace sotto::train {

struct ModelCard;

struct TensorData {
  at::Tensor inputs;  // (n, *shape), float
  at::Tensor labels;  // (n), int64

  std::int64_t size() const { return labels.size(0); }
  std::int64_t bytes() const { return 4 * inputs.numel() + 8 * labels.numel(); }
};

struct TensorTrainTest {
  TensorData train;
  TensorData test;
  std::vector<std::int64_t> shape;
  std::vector<std::string> classes;
  data::TestPart test_part = data::TestPart::kPublic;

  // True if `test` must not be looked at without noise.
  bool test_is_private() const { return test_part == data::TestPart::kHeldOut; }

  // Of the tensors: from shapes and public numbers of records alone. How many records are held out
  // is not public; about one in six is.
  std::int64_t bytes() const {
    const std::int64_t shown = pictures.defined() ? 4 * pictures.numel() : 0;
    return train.bytes() + (test_is_private() ? train.bytes() / 5 : test.bytes() + shown);
  }

  // Where `test` holds features of pictures: the pictures (n, *picture_shape), to look at.
  at::Tensor pictures = {};
  std::vector<std::int64_t> picture_shape = {};
};

// What models are given, (n, *shape): rows of a table as they are, pixels from [0, 1] to [-1, 1].
// Public constants: statistics of the data would reveal something about them.
at::Tensor model_input(const at::Tensor& features);

TensorData to_tensors(data::LabelledData data);
// Loads what the configuration names. Throws InvalidArgument for fewer than 2 training samples,
// whose number is public, for held-out records under an adjacency that they have no analysis for,
// and for settings that do not fit the data's kind.
TensorTrainTest load_data(const TrainingConfig& config);

// The same for a model that was trained on other data, maybe. Throws InvalidArgument, too, if
// samples are of another shape, or classes others. Names are compared where both have them: numbers
// stand for classes without a name.
TensorTrainTest load_data_for(const ModelCard& card, const TrainingConfig& config);

}  // namespace sotto::train
