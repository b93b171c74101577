#include "engine/labelled_samples.h"

#include "sotto/core/error.h"

namespace sotto {

void LabelledSamples::require(std::int64_t expected) const {
  for (const auto* tensor : {&inputs, &labels}) {
    check_argument(tensor->defined() && tensor->dim() >= 1 && tensor->size(0) == expected,
                   "step: expected the batch's ", expected, " samples, got ",
                   tensor->defined() ? detail::join_message("shape ", tensor->sizes()) : "nothing");
  }
}

LabelledSamples LabelledSamples::piece(std::int64_t begin, std::int64_t count) const {
  return {inputs.narrow(0, begin, count), labels.narrow(0, begin, count)};
}

ScoreGradients checked_score_gradients(const BoundedModel& model, const at::Tensor& scores,
                                       const at::Tensor& labels, double bound) {
  auto of_scores = model.score_gradients(scores, labels, bound);
  const at::Tensor& norms = of_scores.norms;
  check_argument(norms.scalar_type() == at::kDouble && norms.is_contiguous() && norms.dim() == 1 &&
                     norms.size(0) == labels.size(0),
                 "score gradients: expected ", labels.size(0), " norms in double, got shape ",
                 norms.sizes());
  return of_scores;
}

}  // namespace sotto
