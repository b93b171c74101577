// What a finished run says of its model on test data, for the report.
#pragma once

#include <torch/nn/modules/container/sequential.h>

#include <nlohmann/json.hpp>

#include "sotto/train/trainer.h"
#include "train/tensor_data.h"

namespace sotto::train {

// Accuracy, loss, confusion matrix (truth by prediction), scores with their intervals
// (runs/classification_json.h), and up to 24 test records, evenly spaced, with what the model makes
// of them. It holds test records as they are: not for publication where
// those are private.
nlohmann::json exact_evaluation_json(const Evaluation& test, torch::nn::Sequential& model,
                                     const TensorTrainTest& data);

// evaluation.json: that of test records that may be looked at, or else what was released of
// held-out ones; and where the time went.
nlohmann::json evaluation_json(const TrainingResult& result, torch::nn::Sequential& model,
                               const TensorTrainTest& data);

}  // namespace sotto::train
