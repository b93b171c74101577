// The loss of every sample from its scores, and its gradient.
#pragma once

#include <cstdint>

namespace sotto::fused {

enum class Loss : std::uint8_t {
  kCrossEntropy,  // of the softmax of the scores; labels
  kHinge,         // mean over classes of max(0, 1 - score of the label + score); labels
  kMeanSquares,   // mean over outputs of (score - target)²; targets
};

struct Truth {
  const std::int64_t* labels = nullptr;  // (samples)
  const float* targets = nullptr;        // (samples, outputs)
};

// scores, gradient: (samples, outputs); losses: (samples). gradient may be null.
void sample_losses(Loss loss, const float* scores, std::int64_t samples, std::int64_t outputs,
                   const Truth& truth, float* losses, float* gradient);

}  // namespace sotto::fused
