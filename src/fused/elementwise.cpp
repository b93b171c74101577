#include "fused/elementwise.h"

#include <algorithm>

namespace sotto::fused {
namespace {

// SplitMix64 (Steele, Lea, Flood 2014) as a function of a counter: any sample's draws can be made
// on any thread. Dropout is not a privacy mechanism.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

}  // namespace

void ActivationLayer::forward(const Tile& tile) const {
  activate(function_, input(tile), tile.samples * size_, output(tile));
}

void ActivationLayer::backward(const Tile& tile) const {
  activate_backward(function_, function_.invertible() ? output(tile) : input(tile),
                    output_gradient(tile), tile.samples * size_, input_gradient(tile));
}

void Dropout::forward(const Tile& tile) const {
  const std::int64_t count = tile.samples * size_;
  if (!tile.dropping) {
    if (input(tile) != output(tile)) std::copy_n(input(tile), count, output(tile));
    return;
  }
  float* factors = kept(tile);
  const auto threshold = static_cast<std::uint64_t>(probability_ * 0x1p53);
  const auto scale = static_cast<float>(probability_ < 1 ? 1 / (1 - probability_) : 0);
  // The layer's own slot keeps two dropout layers apart.
  const std::uint64_t stream = mixed(tile.seed + static_cast<std::uint64_t>(place().out));
  for (std::int64_t n = 0; n < tile.samples; ++n) {
    const std::uint64_t sample = mixed(stream + static_cast<std::uint64_t>(tile.record(n)));
    for (std::int64_t i = 0; i < size_; ++i) {
      const bool dropped = (mixed(sample + static_cast<std::uint64_t>(i)) >> 11U) < threshold;
      factors[n * size_ + i] = dropped ? 0.0F : scale;
    }
  }
  for (std::int64_t i = 0; i < count; ++i) output(tile)[i] = input(tile)[i] * factors[i];
}

void Dropout::backward(const Tile& tile) const {
  const float* factors = kept(tile);
  const float* from = output_gradient(tile);
  float* to = input_gradient(tile);
  for (std::int64_t i = 0; i < tile.samples * size_; ++i) {
    to[i] = tile.dropping ? from[i] * factors[i] : from[i];
  }
}

void Flatten::forward(const Tile& tile) const {
  for (std::int64_t n = 0; n < tile.samples; ++n) {
    const float* from = input(tile) + n * shape_.size();
    float* to = output(tile) + n * shape_.size();
    for (std::int64_t c = 0; c < shape_.channels; ++c) {
      for (std::int64_t p = 0; p < shape_.pixels(); ++p) *to++ = from[p * shape_.channels + c];
    }
  }
}

void Flatten::backward(const Tile& tile) const {
  for (std::int64_t n = 0; n < tile.samples; ++n) {
    const float* from = output_gradient(tile) + n * shape_.size();
    float* to = input_gradient(tile) + n * shape_.size();
    for (std::int64_t c = 0; c < shape_.channels; ++c) {
      for (std::int64_t p = 0; p < shape_.pixels(); ++p) to[p * shape_.channels + c] = *from++;
    }
  }
}

void Fork::forward(const Tile& tile) const {
  std::copy_n(input(tile), tile.samples * size_, output(tile));
}

void Fork::backward(const Tile& tile) const {
  add_scaled(output_gradient(tile), tile.samples * size_, 1, input_gradient(tile));
}

void Join::forward(const Tile& tile) const {
  add_scaled(input(tile), tile.samples * size_, 1, output(tile));
}

void Join::backward(const Tile& tile) const {
  std::copy_n(output_gradient(tile), tile.samples * size_, input_gradient(tile));
}

}  // namespace sotto::fused
