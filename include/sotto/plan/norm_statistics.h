// Gradient norms and batch sizes as they are, for whoever trains the model. Everything here
// describes single training records without noise: NOT COVERED BY ε, and not for publication.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sotto {

// Called by the engine that has it in its options.
class NormObserver {
 public:
  virtual ~NormObserver() = default;
  // Norms of samples' whole gradients, before they are clipped to `clipping_norm`; not finite where
  // the gradient is not. One call for each part of a logical batch.
  virtual void on_norms(std::span<const double> norms, double clipping_norm) = 0;
  // A logical batch of this many samples, possibly none, was released.
  virtual void on_batch(std::int64_t samples) = 0;
};

// Bins of the histogram, in multiples of the clipping norm: each ends at one of these, which
// belongs to it, and the last has no end.
inline constexpr std::array kNormBinEnds = {1.0 / 16, 1.0 / 8, 1.0 / 4, 1.0 / 2, 1.0,
                                            2.0,      4.0,     8.0,     16.0};
inline constexpr std::array kNormQuantiles = {0.1, 0.5, 0.9};

struct NormSummary {
  std::int64_t samples = 0;  // those with finite gradients; all counts are of them
  std::int64_t clipped = 0;  // of a norm above the clipping norm of their batch
  double clipping_norm = 0;  // the one used last
  // The smallest norm that this share of the samples does not exceed; nothing without samples.
  std::optional<std::array<double, kNormQuantiles.size()>> quantiles;
  std::array<std::int64_t, kNormBinEnds.size() + 1> histogram{};
  std::int64_t batches = 0;
  std::int64_t smallest_batch = 0;
  std::int64_t largest_batch = 0;
  double mean_batch = 0;

  // In [0, 1]; nothing without samples.
  std::optional<double> clipped_share() const;
};

class NormStatistics final : public NormObserver {
 public:
  void on_norms(std::span<const double> norms, double clipping_norm) override;
  void on_batch(std::int64_t samples) override;

  // What was seen since the last call.
  NormSummary take();

 private:
  std::vector<double> norms_;  // finite ones
  std::int64_t batch_samples_ = 0;
  NormSummary seen_;
};

}  // namespace sotto
