#include "core/ziggurat.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>

#include "core/machine_clones.h"

namespace sotto {
namespace {

constexpr unsigned kPlaceShift = 12;
constexpr double kPlaces = 0x1p52;
constexpr std::uint64_t kBitsOfPlaces = std::bit_cast<std::uint64_t>(kPlaces);
constexpr unsigned kSignShift = 53;  // from the bit above the layer's to the highest
constexpr std::uint64_t kMinus = std::uint64_t{1} << 63U;
constexpr std::uint64_t kLayerMask = Ziggurat::kLayers - 1;
// Where the tail begins: with it the last of the 1024 layers ends at the curve's top (a test checks
// that it does).
constexpr double kLastEdge = 4.0388498461095045;

double curve(double x) { return std::exp(-x * x / 2); }

double layer_area() {
  const double tail = std::sqrt(std::numbers::pi / 2) * std::erfc(kLastEdge / std::numbers::sqrt2);
  return kLastEdge * curve(kLastEdge) + tail;
}

// In (0, 1].
double unit_interval(RandomSource& random) {
  return (static_cast<double>(random() >> 11U) + 1) * 0x1p-53;
}

// A double whose last 52 bits are the place is 2^52 more than the place.
double distance_of(std::uint64_t word, double step) {
  return (std::bit_cast<double>(word >> kPlaceShift | kBitsOfPlaces) - kPlaces) * step;
}

// Vectors of the compiler's: a table looked up by a loop, it does not turn into vectors by itself.
using Pair [[gnu::vector_size(16)]] = double;
using Four [[gnu::vector_size(32)]] = double;
using FourWords [[gnu::vector_size(32)]] = std::uint64_t;
constexpr std::size_t kGroup = 4;

// Makes numbers of whole groups from `at` on, up to and with the first group in which a number is
// not decided; returns that group, or `groups`.
SOTTO_CLONES std::size_t place_until_undecided(const Ziggurat::Layer* __restrict layers,
                                               const std::uint64_t* __restrict words,
                                               double* __restrict values, std::size_t at,
                                               std::size_t groups) {
  for (; at < groups; ++at) {
    const std::uint64_t* const word = words + at * kGroup;
    Pair entry[kGroup];
    for (std::size_t i = 0; i < kGroup; ++i) {
      std::memcpy(&entry[i], layers + (word[i] & kLayerMask), sizeof(Pair));
    }
    const Four even = __builtin_shufflevector(entry[0], entry[2], 0, 1, 2, 3);
    const Four odd = __builtin_shufflevector(entry[1], entry[3], 0, 1, 2, 3);
    const Four step = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
    const Four inner = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
    FourWords bits;
    std::memcpy(&bits, word, sizeof bits);
    const Four distance =
        (reinterpret_cast<Four>(bits >> kPlaceShift | kBitsOfPlaces) - kPlaces) * step;
    const FourWords signed_bits =
        reinterpret_cast<FourWords>(distance) | (bits << kSignShift & kMinus);
    std::memcpy(values + at * kGroup, &signed_bits, sizeof signed_bits);
    const auto outside = distance >= inner;
    if ((outside[0] | outside[1] | outside[2] | outside[3]) != 0) [[unlikely]]
      break;
  }
  return at;
}

}  // namespace

Ziggurat::Ziggurat() {
  const double area = layer_area();
  edge_[0] = area / curve(kLastEdge);
  edge_[1] = kLastEdge;
  for (std::size_t i = 1; i + 1 < kLayers; ++i) {
    edge_[i + 1] = std::sqrt(-2 * std::log(curve(edge_[i]) + area / edge_[i]));
  }
  edge_[kLayers] = 0;
  for (std::size_t i = 0; i <= kLayers; ++i) height_[i] = curve(edge_[i]);
  for (std::size_t i = 0; i < kLayers; ++i) layers_[i] = {edge_[i] / kPlaces, edge_[i + 1]};
}

void Ziggurat::fill(std::span<const std::uint64_t> words, std::span<double> values,
                    RandomSource& more) const {
  const std::size_t groups = values.size() / kGroup;
  for (std::size_t at = 0; at < groups; ++at) {
    at = place_until_undecided(layers_.data(), words.data(), values.data(), at, groups);
    if (at < groups) {
      decide(words.subspan(at * kGroup, kGroup), values.subspan(at * kGroup, kGroup), more);
    }
  }
  const auto rest = words.subspan(groups * kGroup);
  const auto rest_values = values.subspan(groups * kGroup);
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const double distance = distance_of(rest[i], layers_[rest[i] & kLayerMask].step);
    rest_values[i] = (rest[i] << kSignShift & kMinus) != 0 ? -distance : distance;
  }
  decide(rest, rest_values, more);
}

void Ziggurat::decide(std::span<const std::uint64_t> words, std::span<double> values,
                      RandomSource& more) const {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t layer = words[i] & kLayerMask;
    const double distance = std::abs(values[i]);
    if (distance < layers_[layer].inner) continue;
    values[i] = std::copysign(undecided(layer, distance, more), values[i]);
  }
}

double Ziggurat::undecided(std::size_t layer, double distance, RandomSource& more) const {
  while (layer != 0) {
    const double height =
        height_[layer] + unit_interval(more) * (height_[layer + 1] - height_[layer]);
    if (height < curve(distance)) return distance;
    const std::uint64_t word = more();
    layer = word & kLayerMask;
    distance = distance_of(word, layers_[layer].step);
    if (distance < layers_[layer].inner) return distance;
  }
  return beyond_last_edge(more);
}

// Marsaglia 1964: an exponential beyond the edge, kept with the probability that makes it a normal.
// 53 bits of it reach 13 standard deviations.
double Ziggurat::beyond_last_edge(RandomSource& more) const {
  for (;;) {
    const double beyond = -std::log(unit_interval(more)) / kLastEdge;
    if (-2 * std::log(unit_interval(more)) >= beyond * beyond) return kLastEdge + beyond;
  }
}

}  // namespace sotto
