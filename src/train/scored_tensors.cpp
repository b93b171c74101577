#include "train/scored_tensors.h"

#include <ATen/ATen.h>

namespace sotto::train {

runs::ScoredRecords scored_records(const at::Tensor& scores, const at::Tensor& labels) {
  const at::Tensor plain = scores.detach().to(at::kDouble).contiguous();
  const at::Tensor whole = labels.to(at::kLong).contiguous();
  const auto* first_score = plain.data_ptr<double>();
  const auto* first_label = whole.data_ptr<std::int64_t>();
  return {static_cast<std::size_t>(plain.size(1)),
          {first_score, first_score + plain.numel()},
          {first_label, first_label + whole.numel()}};
}

runs::ClassificationScores classification_scores(const Evaluation& evaluation,
                                                 const at::Tensor& labels) {
  return runs::classification_scores(evaluation.confusion,
                                     scored_records(evaluation.scores, labels));
}

}  // namespace sotto::train
