// How much memory a training step takes: measured, and predicted from two small ones.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "train/measured_step.h"

namespace sotto::train {

// Bytes above what the program itself takes, at the end of each phase.
struct StepBytes {
  double model = 0;     // parameters
  double batch = 0;     // and one batch of data
  double forward = 0;   // and what the forward pass keeps; fused kernels keep nothing: as `batch`
  double backward = 0;  // and gradients, norms, clipped sums: the most at any time of a step
  double step = 0;      // what is left after it: gradients where they are kept, optimizer state
  double peak() const { return backward; }
};

struct StepSetting {
  StepPath path = StepPath::kGraph;
  std::function<Network()> make_network;  // afresh at each call
  OptimizerMaker optimizer = make_sgd;
};

// Makes two steps on random numbers and counts what they allocate. Nothing if the network cannot
// take the path.
std::optional<StepBytes> measure_step(const StepSetting& setting, std::int64_t batch);

// Every phase as a straight line over the batch size, through measurements at two small batches.
class StepPrediction {
 public:
  // Nothing if the network cannot take the path.
  static std::optional<StepPrediction> make(const StepSetting& setting);

  StepBytes at(std::int64_t batch) const;
  // The largest batch whose peak is at most `bytes`; 0 if not even one sample fits.
  std::int64_t largest_batch(double bytes) const;

 private:
  std::int64_t small_ = 0;
  std::int64_t large_ = 0;
  StepBytes at_small_;
  StepBytes at_large_;
};

}  // namespace sotto::train
