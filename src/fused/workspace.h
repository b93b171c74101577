// Memory of a program: laid out once, so that a step allocates nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fused/network.h"
#include "fused/tile.h"

namespace sotto::fused {

// Floats aligned to cache lines, with room to read past the end (see matrix_kernels.h). Not
// initialised, except that the room is zero.
class FloatBuffer {
 public:
  FloatBuffer() = default;
  explicit FloatBuffer(std::int64_t count);
  float* data() const { return data_.get(); }
  std::int64_t size() const { return size_; }

 private:
  struct Free {
    void operator()(float* data) const;
  };
  std::unique_ptr<float[], Free> data_;
  std::int64_t size_ = 0;
};

// What is kept of all samples of a batch.
class BatchMemory {
 public:
  explicit BatchMemory(const Network& network);
  // Room for this many samples; what was in it is lost if it must grow.
  void reserve(std::int64_t samples);
  float* values(Slot slot) const { return values_[static_cast<std::size_t>(slot)].data(); }
  float* gradients(Slot slot) const { return gradients_[static_cast<std::size_t>(slot)].data(); }
  static std::int64_t bytes_per_sample(const Network& network);

 private:
  std::vector<SlotInfo> slots_;
  std::int64_t capacity_ = 0;
  std::vector<FloatBuffer> values_;
  std::vector<FloatBuffer> gradients_;
};

// One thread's: everything about a tile, and the sums of the gradients that layers write out.
class ThreadMemory {
 public:
  ThreadMemory(const Network& network, int parameters, std::int64_t tile_samples);

  // A tile in this thread's memory, and the batch's from sample `first` on.
  Tile& enter(const Network& network, const BatchMemory& batch, std::int64_t first, Mode mode);
  // By written gradient.
  const std::vector<float*>& written() const { return written_; }
  const std::vector<float*>& sums() const { return sums_; }
  // The same memory, for sums of private steps.
  std::int32_t* counts(std::size_t written) const {
    return reinterpret_cast<std::int32_t*>(sums_[written]);
  }
  void clear_sums(Mode mode);
  float* panels() const { return panels_.data(); }
  // Squared norms of a tile's samples and their factors: (parameters, tile samples) each.
  double* norms() { return norms_.data(); }
  double* factors() { return factors_.data(); }
  static std::int64_t bytes_per_sample(const Network& network);

 private:
  FloatBuffer memory_;
  FloatBuffer sum_memory_;
  FloatBuffer panels_;
  std::vector<float*> values_;  // by slot; null where the batch keeps them
  std::vector<float*> gradients_;
  std::vector<float*> kept_;     // by layer
  std::vector<float*> written_;  // by written gradient
  std::vector<float*> sums_;
  float* scratch_ = nullptr;
  std::vector<double> norms_;
  std::vector<double> factors_;
  Tile tile_;
};

}  // namespace sotto::fused
