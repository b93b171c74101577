// Scores of a network, for mathematics without LibTorch.
#pragma once

#include <ATen/core/Tensor.h>

#include "runs/classification_scores.h"
#include "sotto/train/evaluation.h"

namespace sotto::train {

// scores (n, classes), labels (n).
runs::ScoredRecords scored_records(const at::Tensor& scores, const at::Tensor& labels);

// All that may be said of records that may be looked at; `labels` (n): of those evaluated.
runs::ClassificationScores classification_scores(const Evaluation& evaluation,
                                                 const at::Tensor& labels);

}  // namespace sotto::train
