// What a layer sees of a step: a few samples, on one thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sotto::fused {

// Where the values between two layers are kept, and their gradient.
using Slot = std::int32_t;

enum class Mode : std::uint8_t {
  kScores,   // forward only, as for evaluation
  kPlain,    // the gradient of the sum of losses
  kPrivate,  // every sample's own gradient
};

// Pointers lead to the tile's first sample; samples follow each other without gaps.
struct Tile {
  Mode mode = Mode::kScores;
  bool dropping = false;    // dropout is at work
  std::uint64_t seed = 0;   // of this step's dropout
  std::int64_t first = 0;   // the first sample's number in the batch: where it is kept
  std::int64_t number = 0;  // and in the whole step
  // Of the step's samples, from sample 0 on; null: their numbers are their places. Dropout follows
  // from a record's number, so that no other record has a say in it.
  const std::int64_t* records = nullptr;
  std::int64_t samples = 0;
  std::vector<float*> values;     // by slot
  std::vector<float*> gradients;  // by slot
  float* scratch = nullptr;       // Layer::scratch_size() floats a sample
  float* panels = nullptr;        // Linear::kPanelScratch floats
  std::vector<float*> kept;       // by layer: Layer::kept_size() floats a sample, for backward()
  // By written gradient (see layer.h): one for each sample (private), or the sum so far (plain).
  std::vector<float*> written;
  // (parameters, stride): squared norms of this tile's samples start at column 0.
  double* squared_norms = nullptr;
  std::int64_t norm_stride = 0;

  float* value(Slot slot) const { return values[static_cast<std::size_t>(slot)]; }
  float* gradient(Slot slot) const { return gradients[static_cast<std::size_t>(slot)]; }
  std::int64_t record(std::int64_t sample) const {
    return records == nullptr ? number + sample : records[number + sample];
  }
  bool is_private() const { return mode == Mode::kPrivate; }
  void add_squared_norm(int parameter, std::int64_t sample, double square) const {
    squared_norms[parameter * norm_stride + sample] += square;
  }
};

}  // namespace sotto::fused
