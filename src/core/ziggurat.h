// Standard normals by the ziggurat method (Marsaglia, Tsang 2000), from words of 64 random bits.
// Boost's (draw_gaussian) takes one number at a time, and longer for it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/core/random.h"

namespace sotto {

// The area under e^{-x²/2}, x >= 0, covered by 1024 layers of equal area: layer i > 0 is the
// rectangle from 0 to edge(i) between the heights of the curve at edge(i) and edge(i + 1); layer 0
// is the rectangle from 0 to edge(1) below the curve's height there, and the tail beyond. Its
// edge(0) is the width that a rectangle of this height and of the layer's whole area has.
class Ziggurat {
 public:
  static constexpr std::size_t kLayers = 1024;

  Ziggurat();

  // One normal from each word, which gives the layer (10 bits), the sign (1) and the place in the
  // layer (52): no bit is used twice (the fault that Doornik 2005 found in the original). What one
  // word in 230 does not decide, words from `more` do. Both spans are of one length.
  void fill(std::span<const std::uint64_t> words, std::span<double> values,
            RandomSource& more) const;

  double edge(std::size_t layer) const { return edge_[layer]; }
  double height(std::size_t layer) const { return height_[layer]; }

  struct Layer {
    double step;   // edge / 2^52
    double inner;  // edge of the layer above: what is nearer lies under the curve
  };

 private:
  void decide(std::span<const std::uint64_t> words, std::span<double> values,
              RandomSource& more) const;
  double undecided(std::size_t layer, double distance, RandomSource& more) const;
  double beyond_last_edge(RandomSource& more) const;

  std::array<Layer, kLayers> layers_{};
  std::array<double, kLayers + 1> edge_{};
  std::array<double, kLayers + 1> height_{};
};

}  // namespace sotto
