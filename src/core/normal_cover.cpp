#include "core/normal_cover.h"

#include <algorithm>
#include <cmath>

namespace sotto {
namespace {

// Edges lie outside the curve, and inner edges inside, by far more than the C library errs; tests
// verify both in 100 digits.
constexpr double kOutwards = 1 + 0x1p-40;
constexpr double kInwards = 1 - 0x1p-40;
// More than three roundings in float: of the step, of its product, of the inner edge.
constexpr double kQuickInwards = 1 - 0x1p-21;

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
  for (std::size_t i = 0; i < kLayers; ++i) {
    layers_[i].step = edge_[i] * 0x1p-52;
    const double quick_step = std::ldexp(edge_[i], -kQuickBits);
    const double inner = (layers_[i].inner - quick_step / 2) * kQuickInwards;
    quick_layers_[i] = {static_cast<float>(quick_step), static_cast<float>(std::max(inner, 0.0))};
  }
}

}  // namespace sotto
