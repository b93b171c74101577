// What a finished run says of its model on test data, for the report.
#pragma once

#include <torch/nn/modules/container/sequential.h>

#include <nlohmann/json.hpp>

#include "sotto/train/trainer.h"
#include "train/tensor_data.h"

namespace sotto::train {

// evaluation.json: accuracy, loss, confusion matrix (truth by prediction), where the time went, and
// up to 24 test records, evenly spaced, with what the model makes of them. It holds test records as
// they are: not for publication where those are private.
nlohmann::json evaluation_json(const TrainingResult& result, torch::nn::Sequential& model,
                               const TensorTrainTest& data);

}  // namespace sotto::train
