// Rectangles that cover the area under the bell curve f(x) = e^{-x²/2}, x >= 0, so that a point
// drawn from them and kept if it lies below the curve has a normal's x: exactly, since nothing is
// assumed of the rectangles but that they cover the curve and have equal areas.
//
// Layer i = 1, ..., 1023 is the rectangle 0 <= x < edge(i) between the heights y(i) and y(i + 1).
// Layer 0 is the rectangle 0 <= x < R below y(1), and under the curve y(1)·e^{-R(x - R)} the part
// beyond R; it is drawn as a rectangle of width edge(0) = R + 1/R, of which what is beyond R means
// the tail. Edges and y(1) are doubles; all other heights follow from them without rounding, from
// y(i + 1) = y(i) + A / edge(i) with A = y(1)·(R + 1/R), and are real numbers.
#pragma once

#include <array>
#include <cstddef>

namespace sotto {

class NormalCover {
 public:
  static constexpr std::size_t kLayers = 1024;
  static constexpr double kLastEdge = 4.0396441;  // R

  struct Layer {
    double step;   // edge / 2^52
    double inner;  // what is nearer lies below the curve, at any height of the layer
  };

  // The same for a place of which only the leading 21 bits are looked at, and in float: where
  // (place + 1/2)·step, rounded twice, is at most `inner`, all places with these bits are inside.
  static constexpr int kQuickBits = 21;
  struct QuickLayer {
    float step;
    float inner;
  };

  static const NormalCover& instance();

  const Layer* layers() const { return layers_.data(); }
  const Layer& layer(std::size_t i) const { return layers_[i]; }
  const QuickLayer* quick_layers() const { return quick_layers_.data(); }
  double edge(std::size_t i) const { return edge_[i]; }
  // y(i), rounded; y(0) is 0.
  double height(std::size_t i) const { return height_[i]; }

 private:
  NormalCover();

  std::array<Layer, kLayers> layers_{};
  std::array<QuickLayer, kLayers> quick_layers_{};
  std::array<double, kLayers> edge_{};
  std::array<double, kLayers + 1> height_{};
};

}  // namespace sotto
