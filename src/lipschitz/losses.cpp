#include "sotto/lipschitz/losses.h"

#include <ATen/ATen.h>
#include <torch/nn/functional/loss.h>

#include <cmath>
#include <numbers>
#include <sstream>

#include "sotto/core/error.h"

namespace sotto::lipschitz {
namespace {

using at::Tensor;
namespace F = torch::nn::functional;

// 0 or 1, whatever the label is: another number would multiply the gradient.
Tensor yes_or_no(const Tensor& labels) { return labels > 0; }

Tensor score_of_label(const Tensor& scores, const Tensor& labels) {
  return scores.gather(1, labels.unsqueeze(1)).squeeze(1);
}

// The highest score of another class.
Tensor best_other(const Tensor& scores, const Tensor& labels) {
  const Tensor own = at::one_hot(labels, scores.size(1)).to(at::kBool);
  return std::get<0>(scores.masked_fill(own, -INFINITY).max(1));
}

Tensor multiclass_hinge(const Tensor& scores, const Tensor& labels, double margin) {
  return (margin - (score_of_label(scores, labels) - best_other(scores, labels))).clamp_min(0);
}

Tensor kantorovich(const Tensor& scores, const Tensor& labels) {
  const Tensor own = score_of_label(scores, labels);
  const Tensor others = (scores.sum(1) - own) / static_cast<double>(scores.size(1) - 1);
  return others - own;
}

Tensor cosine(const Tensor& scores, const Tensor& labels, double least_norm) {
  const Tensor norms = at::linalg_vector_norm(scores, 2, at::IntArrayRef{1}).clamp_min(least_norm);
  return -score_of_label(scores, labels) / norms;
}

}  // namespace

Loss::Loss(const LossOptions& options, std::int64_t classes)
    : options_(options), classes_(classes) {
  const auto positive = [](const char* what, double value) {
    check_argument(value > 0 && std::isfinite(value), what, " must be positive, got ", value);
  };
  positive("temperature", options.temperature);
  positive("margin", options.margin);
  positive("alpha", options.alpha);
  positive("least norm", options.least_norm);
  check_argument(settings::is_of_one_score(options.kind) ? classes == 1 : classes >= 2, "loss ",
                 to_string(options.kind),
                 settings::is_of_one_score(options.kind) ? ": takes one score, got "
                                                         : ": takes 2 scores or more, got ",
                 classes);
}

void Loss::check_shapes(const Tensor& scores, const Tensor& labels) const {
  check_argument(scores.dim() == 2 && scores.size(1) == classes_ && labels.dim() == 1 &&
                     labels.size(0) == scores.size(0),
                 "loss ", to_string(options_.kind), ": expected scores (N, ", classes_,
                 ") and labels (N), got ", scores.sizes(), " and ", labels.sizes());
}

Tensor Loss::operator()(const Tensor& scores, const Tensor& labels) const {
  check_shapes(scores, labels);
  const double tau = options_.temperature;
  switch (options_.kind) {
    case LossKind::kCrossEntropy:
      return F::cross_entropy(scores * tau, labels,
                              F::CrossEntropyFuncOptions().reduction(torch::kNone)) /
             tau;
    case LossKind::kBinaryCrossEntropy:
      return at::binary_cross_entropy_with_logits(scores.squeeze(1) * tau,
                                                  yes_or_no(labels).to(scores.scalar_type()), {},
                                                  {}, at::Reduction::None) /
             tau;
    case LossKind::kHinge:
      return (options_.margin - (yes_or_no(labels).to(at::kLong) * 2 - 1) * scores.squeeze(1))
          .clamp_min(0);
    case LossKind::kMulticlassHinge:
      return multiclass_hinge(scores, labels, options_.margin);
    case LossKind::kMeanAbsoluteError:
      return (scores - at::one_hot(labels, classes_)).abs().mean(1);
    case LossKind::kCosine:
      return cosine(scores, labels, options_.least_norm);
    case LossKind::kKr:
      return kantorovich(scores, labels);
    case LossKind::kHkr:
      return kantorovich(scores, labels) +
             options_.alpha * multiclass_hinge(scores, labels, options_.margin);
  }
  throw std::logic_error("unknown loss");
}

// The norm of ∂ℓ/∂z at most:
//   cross-entropy   softmax(τz) - onehot(y), at most √2: the entry of y is at most 1 in size, the
//                   others are positive and sum to the same
//   binary, hinge   at most 1
//   multi-hinge     one entry 1, one -1, or nothing
//   mae             entries ±1/n
//   cosine          1/K inside the ball; outside, ∂(z_y/‖z‖) = (e_y - (z_y/‖z‖) z/‖z‖)/‖z‖, of norm
//                   at most 1/‖z‖ < 1/K
//   kr              one entry -1, n-1 entries 1/(n-1)
double Loss::lipschitz() const {
  const auto n = static_cast<double>(classes_);
  const double kantorovich = std::sqrt(1 + 1 / std::max(1.0, n - 1));
  switch (options_.kind) {
    case LossKind::kCrossEntropy:
    case LossKind::kMulticlassHinge:
      return std::numbers::sqrt2;
    case LossKind::kBinaryCrossEntropy:
    case LossKind::kHinge:
      return 1;
    case LossKind::kMeanAbsoluteError:
      return 1 / std::sqrt(n);
    case LossKind::kCosine:
      return 1 / options_.least_norm;
    case LossKind::kKr:
      return kantorovich;
    case LossKind::kHkr:
      return kantorovich + options_.alpha * std::numbers::sqrt2;
  }
  throw std::logic_error("unknown loss");
}

std::string Loss::describe() const {
  std::ostringstream text;
  text << to_string(options_.kind);
  const bool tempered =
      options_.kind == LossKind::kCrossEntropy || options_.kind == LossKind::kBinaryCrossEntropy;
  if (tempered) text << ", temperature " << options_.temperature;
  return text.str();
}

}  // namespace sotto::lipschitz
