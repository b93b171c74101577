#include "core/normal_cover.h"

#include <cmath>

namespace sotto {
namespace {

// Edges lie outside the curve, and inner edges inside, by far more than the C library errs; tests
// verify both in 100 digits.
constexpr double kOutwards = 1 + 0x1p-40;
constexpr double kInwards = 1 - 0x1p-40;

double place_of_height(double height) { return std::sqrt(-2 * std::log(height)); }

}  // namespace

const NormalCover& NormalCover::instance() {
  static const NormalCover cover;
  return cover;
}

NormalCover::NormalCover() {
  const double width = kLastEdge + 1 / kLastEdge;
  edge_[0] = width;
  edge_[1] = kLastEdge;
  height_[1] = std::exp(-kLastEdge * kLastEdge / 2) * kOutwards;
  const double area = height_[1] * width;
  layers_[0].inner = kLastEdge * kInwards;
  for (std::size_t i = 1; i < kLayers; ++i) {
    height_[i + 1] = height_[i] + area / edge_[i];
    if (i + 1 == kLayers) break;  // at the top: nothing of the last layer is surely below
    const double place = place_of_height(height_[i + 1]);
    layers_[i].inner = place * kInwards;
    edge_[i + 1] = place * kOutwards;
  }
  for (std::size_t i = 0; i < kLayers; ++i) layers_[i].step = edge_[i] * 0x1p-52;
}

}  // namespace sotto
