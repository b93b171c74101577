// A network made ready to run: tiles of a few samples go from the input to the loss and back on one
// core, where their activations, and every sample's own gradient, stay in its cache.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "fused/loss.h"
#include "fused/network.h"
#include "fused/workspace.h"

namespace sotto::fused {

struct ProgramInput {
  const float* samples = nullptr;  // (count, channels, height, width), as LibTorch stores them
  // The records to take from `samples`, (count); null: all in order.
  const std::int64_t* records = nullptr;
  std::int64_t count = 0;
  // Private steps only: the ends of the chains of samples that Linear layers add up, increasing,
  // each at most 64 after the one before, the last `count`. Empty: every 64.
  std::vector<std::int64_t> chain_ends = {};
};

// From the squared norms (parameters, stride) of `samples` samples to the factors, alike. Called on
// several threads at once, for different samples.
using ClipFunction = std::function<void(const double* squared_norms, std::int64_t stride,
                                        std::int64_t samples, double* factors)>;

struct GradientRequest {
  Loss loss = Loss::kCrossEntropy;
  Truth truth;        // labels and targets of the samples in `ProgramInput`, in its order
  ClipFunction clip;  // none: the gradient of the sum of losses
  bool dropping = true;
  std::uint64_t seed = 0;
  float* losses = nullptr;          // (count)
  double* squared_norms = nullptr;  // (parameters, count); with clip only
  // By parameter; null for frozen ones. Without clip:
  std::vector<float*> sums;
  // With clip, in units of 1 / per_unit, powers of two (see exact_sums.h). Clipped gradients must
  // have less than 2^21 units in every entry.
  std::vector<double*> exact_sums;
  std::vector<double> per_unit;
  bool add = false;  // to what the sums hold, else they are overwritten
};

class Program {
 public:
  // parameters: how many the network was built with. Threads must be at least 1.
  Program(Network network, int parameters, int threads);

  // Scores (count, outputs). Dropout is off.
  void scores(const ParameterValues& parameters, const ProgramInput& input, float* out);
  void gradients(const ParameterValues& parameters, const ProgramInput& input,
                 const GradientRequest& request);

  const Network& network() const { return network_; }
  std::int64_t tile_samples() const { return tile_samples_; }

 private:
  // A piece of a batch that fits in the memory kept for batches.
  struct Part {
    const ProgramInput& input;
    const GradientRequest& request;
    std::int64_t begin = 0;
    std::int64_t count = 0;
    bool add = false;
    std::vector<std::int64_t> chain_ends = {};  // of its samples, from its first
  };

  void prepare(const ParameterValues& parameters);
  template <typename Run>
  void for_each_tile(const ProgramInput& input, std::int64_t begin, std::int64_t count, Mode mode,
                     const Run& run);
  void load(const ProgramInput& input, Tile& tile) const;
  std::int64_t part_limit(const GradientRequest& request) const;
  Part next_part(const ProgramInput& input, const GradientRequest& request,
                 const std::vector<std::int64_t>& chain_ends, std::int64_t begin) const;
  void run_part(const Part& part);
  void run_tile(const Part& part, ThreadMemory& memory, Tile& tile);
  void clip_tile(const Part& part, ThreadMemory& memory, const Tile& tile);
  void collect_written(const Part& part);
  void collect_linear(const Part& part, const Linear& layer);
  template <typename Add>
  void collect_weight(const Part& part, const Linear& layer, const LinearBatch& batch, double scale,
                      const Add& add);
  const double* factors_of(const Part& part, const Parameter& parameter) const;

  Network network_;
  int parameters_;
  int threads_;
  std::int64_t tile_samples_;
  std::int64_t batch_limit_;
  BatchMemory batch_;
  std::vector<ThreadMemory> memories_;
  std::vector<const Layer*> backward_;
  std::vector<std::pair<const Layer*, WrittenGradient>> written_;
  std::vector<double> factors_;           // (parameters, samples of the part)
  std::vector<float> scaled_;             // see Linear::scale_gradients
  std::vector<std::int32_t> scaled_row_;  // 0, 12, 24, ...
};

}  // namespace sotto::fused
