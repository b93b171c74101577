// Standard normals by the ziggurat method (Marsaglia, Tsang 2000), from words of 64 random bits.
// Boost's (draw_gaussian) takes one number at a time, and twice as long.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "sotto/core/random.h"

namespace sotto {

// The area under e^{-x²/2}, x >= 0, covered by 256 layers of equal area: layer i > 0 is the
// rectangle from 0 to edge(i) between the heights of the curve at edge(i) and edge(i + 1); layer 0
// is the rectangle from 0 to edge(1) below the curve's height there, and the tail beyond. Its
// edge(0) is the width that a rectangle of this height and of the layer's whole area has.
class Ziggurat {
 public:
  static constexpr std::size_t kLayers = 256;

  Ziggurat();

  // A word gives the layer (8 bits), the sign (1) and the place in the layer (55): no bit is used
  // twice (the fault that Doornik 2005 found in the original). What one word in a hundred does not
  // decide, words from `more` do.
  double normal(std::uint64_t word, RandomSource& more) const {
    const std::size_t layer = word & (kLayers - 1);
    const std::uint64_t place = word >> kPlaceShift;
    double distance = static_cast<double>(static_cast<std::int64_t>(place)) * step_[layer];
    if (place >= inside_[layer]) [[unlikely]]
      distance = undecided(layer, distance, more);
    return with_sign(distance, word);
  }

  double edge(std::size_t layer) const { return edge_[layer]; }
  double height(std::size_t layer) const { return height_[layer]; }

 private:
  static constexpr unsigned kPlaceShift = 9;
  static constexpr unsigned kSignShift = 55;  // from the bit above the layer to the highest

  static double with_sign(double distance, std::uint64_t word) {
    constexpr std::uint64_t kMinus = std::uint64_t{1} << 63U;
    const std::uint64_t minus = word << kSignShift & kMinus;  // no branch: half would go wrong
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(distance) | minus);
  }
  double undecided(std::size_t layer, double distance, RandomSource& more) const;
  double beyond_last_edge(RandomSource& more) const;

  std::array<double, kLayers> step_{};           // edge / 2^55
  std::array<std::uint64_t, kLayers> inside_{};  // places below this lie under the curve
  std::array<double, kLayers + 1> edge_{};
  std::array<double, kLayers + 1> height_{};
};

}  // namespace sotto
