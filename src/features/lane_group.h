// The scattering transform of kLanes pictures at once, with the memory that it needs.
#pragma once

#include <cstdint>
#include <vector>

#include "features/scattering_plan.h"

namespace sotto::features {

// The plan must outlive it. One object must not be used from two threads at once.
class LaneGroup {
 public:
  explicit LaneGroup(const ScatteringPlan& plan);

  // pictures (count, height, width) -> features (count, channels, maps...). REQUIRES: count is at
  // most kLanes.
  void transform(const float* pictures, std::int64_t count, float* features);

 private:
  // Complex numbers of one level, for all lanes.
  class Signal {
   public:
    explicit Signal(std::int64_t count);

   private:
    std::vector<float> re_, im_;

   public:
    Planes planes;  // of the two above, in any order
  };
  struct Channel {
    std::int64_t first;   // where S1 by this wavelet goes
    std::int64_t second;  // and the first S2 that begins with it
  };

  void take(const float* pictures, std::int64_t count);
  void give(std::int64_t count, float* features) const;
  void average_into(std::int64_t channel, std::int64_t level, const float* values);
  void to_frequencies(std::int64_t level, Signal& signal);
  // |signal * ψ| in `wave`, subsampled to the wavelet's own level. `signal` is in frequencies.
  void filter(const Signal& signal, std::int64_t level, const ScatteringPlan::Wavelet& wavelet,
              Signal& wave);
  // The averages of ||x * ψ1| * ψ2| for all coarser ψ2, into the channels from `channel` on.
  void scatter_again(std::int64_t level, std::int64_t channel);

  const ScatteringPlan& plan_;
  Signal picture_, wave_, second_wave_, spare_;
  std::vector<float> averaged_rows_, maps_;  // maps (channels, map_height, map_width, lanes)
};

}  // namespace sotto::features
