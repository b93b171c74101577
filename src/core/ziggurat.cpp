#include "core/ziggurat.h"

#include <cmath>
#include <numbers>

namespace sotto {
namespace {

constexpr double kPlaces = 0x1p55;
// Where the tail begins: with it the last of the 256 layers ends at the curve's top (a test checks
// that it does).
constexpr double kLastEdge = 3.6541528853610088;

double curve(double x) { return std::exp(-x * x / 2); }

double layer_area() {
  const double tail = std::sqrt(std::numbers::pi / 2) * std::erfc(kLastEdge / std::numbers::sqrt2);
  return kLastEdge * curve(kLastEdge) + tail;
}

// In (0, 1].
double unit_interval(RandomSource& random) {
  return (static_cast<double>(random() >> 11U) + 1) * 0x1p-53;
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
  for (std::size_t i = 0; i < kLayers; ++i) {
    step_[i] = edge_[i] / kPlaces;
    inside_[i] = static_cast<std::uint64_t>(edge_[i + 1] / edge_[i] * kPlaces);
  }
}

double Ziggurat::undecided(std::size_t layer, double distance, RandomSource& more) const {
  while (layer != 0) {
    const double height =
        height_[layer] + unit_interval(more) * (height_[layer + 1] - height_[layer]);
    if (height < curve(distance)) return distance;
    const std::uint64_t word = more();
    layer = word & (kLayers - 1);
    distance = static_cast<double>(word >> kPlaceShift) * step_[layer];
    if (word >> kPlaceShift < inside_[layer]) return distance;
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
