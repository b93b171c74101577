// Losses and their gradients with respect to the scores, sample by sample in one pass: what
// autograd computes of Loss::operator() with a dozen operations.
#include <ATen/ATen.h>
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>
#include <vector>

#include "lipschitz/rounding.h"
#include "sotto/core/error.h"
#include "sotto/lipschitz/losses.h"

namespace sotto::lipschitz {
namespace {

using at::Tensor;

// One sample's scores and label, and where its gradient is written: it starts as zero.
struct Sample {
  std::span<const double> scores;
  std::size_t label;
  std::span<double> gradient;
};

double cross_entropy_of(const Sample& s, double tau) {
  const double highest = *std::max_element(s.scores.begin(), s.scores.end());
  double sum = 0;
  for (std::size_t j = 0; j < s.scores.size(); ++j) {
    sum += s.gradient[j] = std::exp(tau * (s.scores[j] - highest));
  }
  for (double& entry : s.gradient) entry /= sum;
  s.gradient[s.label] -= 1;
  return std::log(sum) / tau + highest - s.scores[s.label];
}

double binary_cross_entropy_of(const Sample& s, double tau) {
  const double towards = s.label == 1 ? -tau * s.scores[0] : tau * s.scores[0];
  const double miss = 1 / (1 + std::exp(-towards));
  s.gradient[0] = s.label == 1 ? -miss : miss;
  return (std::max(towards, 0.0) + std::log1p(std::exp(-std::abs(towards)))) / tau;
}

double hinge_of(const Sample& s, double margin) {
  const double sign = s.label == 1 ? 1 : -1;
  const double short_of = margin - sign * s.scores[0];
  if (short_of < 0) return 0;
  s.gradient[0] = -sign;
  return short_of;
}

// Adds `weight` times its gradient.
double multiclass_hinge_of(const Sample& s, double margin, double weight) {
  std::size_t best = s.label == 0 ? 1 : 0;
  for (std::size_t j = best + 1; j < s.scores.size(); ++j) {
    if (j != s.label && s.scores[j] > s.scores[best]) best = j;
  }
  const double short_of = margin - (s.scores[s.label] - s.scores[best]);
  if (short_of < 0) return 0;
  s.gradient[s.label] -= weight;
  s.gradient[best] += weight;
  return weight * short_of;
}

double mean_absolute_error_of(const Sample& s) {
  const auto n = static_cast<double>(s.scores.size());
  double sum = 0;
  for (std::size_t j = 0; j < s.scores.size(); ++j) {
    const double error = s.scores[j] - (j == s.label ? 1 : 0);
    sum += std::abs(error);
    if (error != 0) s.gradient[j] = std::copysign(1 / n, error);
  }
  return sum / n;
}

double cosine_of(const Sample& s, double least_norm) {
  double square = 0;
  for (const double score : s.scores) square += score * score;
  const double norm = std::max(std::sqrt(square), least_norm);
  const double cosine = s.scores[s.label] / norm;
  if (std::sqrt(square) >= least_norm) {
    for (std::size_t j = 0; j < s.scores.size(); ++j) {
      s.gradient[j] = cosine * s.scores[j] / (norm * norm);
    }
  }
  s.gradient[s.label] -= 1 / norm;
  return -cosine;
}

double kantorovich_of(const Sample& s) {
  const double share = 1 / static_cast<double>(s.scores.size() - 1);
  double others = 0;
  for (std::size_t j = 0; j < s.scores.size(); ++j) {
    if (j != s.label) others += s.scores[j] * share;
    s.gradient[j] = j == s.label ? -1 : share;
  }
  return others - s.scores[s.label];
}

double loss_of(const Sample& s, const LossOptions& options) {
  switch (options.kind) {
    case LossKind::kCrossEntropy:
      return cross_entropy_of(s, options.temperature);
    case LossKind::kBinaryCrossEntropy:
      return binary_cross_entropy_of(s, options.temperature);
    case LossKind::kHinge:
      return hinge_of(s, options.margin);
    case LossKind::kMulticlassHinge:
      return multiclass_hinge_of(s, options.margin, 1);
    case LossKind::kMeanAbsoluteError:
      return mean_absolute_error_of(s);
    case LossKind::kCosine:
      return cosine_of(s, options.least_norm);
    case LossKind::kKr:
      return kantorovich_of(s);
    case LossKind::kHkr: {
      const double kr = kantorovich_of(s);
      return kr + multiclass_hinge_of(s, options.margin, options.alpha);
    }
  }
  throw std::logic_error("unknown loss");
}

// The gradient's norm; it is scaled down to `bound` at most, to nothing if it is not finite.
double scale_down(std::span<double> gradient, double bound) {
  double square = 0;
  for (const double entry : gradient) square += entry * entry;
  const double norm = std::sqrt(square);
  if (norm <= bound * kBelow) return norm;
  const double factor = bound * kBelow / norm;
  for (double& entry : gradient) entry = std::isfinite(norm) ? entry * factor : 0;
  return norm;
}

// Losses of one score have two labels: 1 is any above 0.
std::vector<std::size_t> checked_labels(const Tensor& labels, std::int64_t classes) {
  check_argument(classes == 1 || at::isIntegralType(labels.scalar_type(), /*includeBool=*/true),
                 "labels of type ", labels.scalar_type(), ": classes are whole numbers");
  const Tensor whole = (classes == 1 ? labels > 0 : labels).to(at::kLong).contiguous();
  const auto* values = whole.data_ptr<std::int64_t>();
  std::vector<std::size_t> checked;
  checked.reserve(static_cast<std::size_t>(whole.numel()));
  for (std::int64_t i = 0; i < whole.numel(); ++i) {
    check_argument(classes == 1 || (values[i] >= 0 && values[i] < classes), "label ", values[i],
                   ": expected 0 to ", classes - 1);
    checked.push_back(static_cast<std::size_t>(values[i]));
  }
  return checked;
}

// Of a whole batch.
template <typename Value>
struct BatchArrays {
  const Value* scores;        // (N, classes)
  const std::size_t* labels;  // (N)
  Value* losses;              // (N)
  Value* gradients;           // (N, classes)
  double* norms;              // (N)
};

// A sample whose scores are not finite has no loss, and its gradient is zero.
template <typename Value>
void fill_range(const BatchArrays<Value>& batch, std::int64_t classes, std::int64_t begin,
                std::int64_t end, const LossOptions& options, double bound) {
  std::vector<double> scores(static_cast<std::size_t>(classes));
  std::vector<double> gradient(scores.size());
  for (std::int64_t i = begin; i < end; ++i) {
    std::copy_n(batch.scores + i * classes, classes, scores.begin());
    std::fill(gradient.begin(), gradient.end(), 0);
    const bool finite = std::all_of(scores.begin(), scores.end(),
                                    [](double score) { return std::isfinite(score); });
    const double loss = finite ? loss_of({scores, batch.labels[i], gradient}, options) : NAN;
    batch.losses[i] = static_cast<Value>(loss);
    batch.norms[i] = finite ? scale_down(gradient, bound) : NAN;
    std::transform(gradient.begin(), gradient.end(), batch.gradients + i * classes,
                   [](double entry) { return static_cast<Value>(entry); });
  }
}

}  // namespace

ScoreGradients Loss::gradients(const Tensor& scores, const Tensor& labels, double bound) const {
  constexpr std::int64_t kSamplesAtLeast = 256;  // for a thread
  check_shapes(scores, labels);
  check_argument(scores.scalar_type() == at::kFloat || scores.scalar_type() == at::kDouble,
                 "scores of type ", scores.scalar_type(), ": expected float or double");
  check_argument(bound > 0 && std::isfinite(bound),
                 "a gradient's bound must be positive and finite, got ", bound);
  const Tensor values = scores.detach().contiguous();
  const auto samples = values.size(0);
  const auto checked = checked_labels(labels, classes_);
  ScoreGradients result{at::empty({samples}, values.options()), at::empty_like(values),
                        at::empty({samples}, values.options().dtype(at::kDouble))};
  AT_DISPATCH_FLOATING_TYPES(values.scalar_type(), "score_gradients", [&] {
    const BatchArrays<scalar_t> batch{
        values.data_ptr<scalar_t>(), checked.data(), result.losses.data_ptr<scalar_t>(),
        result.gradients.data_ptr<scalar_t>(), result.norms.data_ptr<double>()};
    at::parallel_for(0, samples, kSamplesAtLeast, [&](std::int64_t begin, std::int64_t end) {
      fill_range(batch, classes_, begin, end, options_, bound);
    });
  });
  return result;
}

}  // namespace sotto::lipschitz
