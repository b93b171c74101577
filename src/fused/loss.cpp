#include "fused/loss.h"

#include <algorithm>
#include <cmath>

namespace sotto::fused {
namespace {

float cross_entropy(const float* scores, std::int64_t outputs, std::int64_t label,
                    float* gradient) {
  const float largest = *std::max_element(scores, scores + outputs);
  double total = 0;
  for (std::int64_t j = 0; j < outputs; ++j) {
    const float e = std::exp(scores[j] - largest);
    if (gradient != nullptr) gradient[j] = e;
    total += static_cast<double>(e);
  }
  if (gradient != nullptr) {
    const auto scale = static_cast<float>(1 / total);
    for (std::int64_t j = 0; j < outputs; ++j) gradient[j] *= scale;
    gradient[label] -= 1;
  }
  return static_cast<float>(std::log(total) - static_cast<double>(scores[label] - largest));
}

float hinge(const float* scores, std::int64_t outputs, std::int64_t label, float* gradient) {
  const float share = 1 / static_cast<float>(outputs);
  float total = 0;
  if (gradient != nullptr) std::fill_n(gradient, outputs, 0.0F);
  for (std::int64_t j = 0; j < outputs; ++j) {
    const float margin = 1 - scores[label] + scores[j];
    if (j == label || margin <= 0) continue;  // what is not a number is added, and seen
    total += margin * share;
    if (gradient == nullptr) continue;
    gradient[j] += share;
    gradient[label] -= share;
  }
  return total;
}

float mean_squares(const float* scores, std::int64_t outputs, const float* target,
                   float* gradient) {
  const float share = 1 / static_cast<float>(outputs);
  float total = 0;
  for (std::int64_t j = 0; j < outputs; ++j) {
    const float difference = scores[j] - target[j];
    total += difference * difference * share;
    if (gradient != nullptr) gradient[j] = 2 * difference * share;
  }
  return total;
}

float sample_loss(Loss loss, const float* scores, std::int64_t outputs, const Truth& truth,
                  std::int64_t n, float* gradient) {
  switch (loss) {
    case Loss::kCrossEntropy:
      return cross_entropy(scores, outputs, truth.labels[n], gradient);
    case Loss::kHinge:
      return hinge(scores, outputs, truth.labels[n], gradient);
    case Loss::kMeanSquares:
      break;
  }
  return mean_squares(scores, outputs, truth.targets + n * outputs, gradient);
}

}  // namespace

void sample_losses(Loss loss, const float* scores, std::int64_t samples, std::int64_t outputs,
                   const Truth& truth, float* losses, float* gradient) {
  for (std::int64_t n = 0; n < samples; ++n) {
    losses[n] = sample_loss(loss, scores + n * outputs, outputs, truth, n,
                            gradient == nullptr ? nullptr : gradient + n * outputs);
  }
}

}  // namespace sotto::fused
