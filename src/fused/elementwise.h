// Layers without parameters that leave the number of values as it is.
#pragma once

#include <cstdint>

#include "fused/layer.h"
#include "fused/shape.h"
#include "fused/vector_kernels.h"

namespace sotto::fused {

// May work in place if the function is invertible.
class ActivationLayer : public Layer {
 public:
  ActivationLayer(const Activation& function, std::int64_t size, const Place& place)
      : Layer(place), function_(function), size_(size) {}
  void forward(const Tile& tile) const override;
  void backward(const Tile& tile) const override;

 private:
  Activation function_;
  std::int64_t size_;
};

// Drops values with the given probability and scales the others up; may work in place. What is
// dropped follows from the step's seed and the sample's number, not from threads or tiles.
class Dropout : public Layer {
 public:
  Dropout(double probability, std::int64_t size, const Place& place)
      : Layer(place), probability_(probability), size_(size) {}
  void forward(const Tile& tile) const override;
  void backward(const Tile& tile) const override;
  std::int64_t kept_size() const override { return size_; }

 private:
  double probability_;
  std::int64_t size_;
};

// From pixel by pixel to channel by channel, the order in which LibTorch flattens.
class Flatten : public Layer {
 public:
  Flatten(const Shape& shape, const Place& place) : Layer(place), shape_(shape) {}
  void forward(const Tile& tile) const override;
  void backward(const Tile& tile) const override;

 private:
  Shape shape_;
};

// A residual block in two halves: Fork copies `in` to `out`, whose gradient it later adds to that
// of `in`; Join adds `in` to `out`, and hands the gradient of `out` to both.
class Fork : public Layer {
 public:
  Fork(std::int64_t size, const Place& place) : Layer(place), size_(size) {}
  void forward(const Tile& tile) const override;
  void backward(const Tile& tile) const override;

 private:
  std::int64_t size_;
};

class Join : public Layer {
 public:
  Join(std::int64_t size, const Place& place) : Layer(place), size_(size) {}
  void forward(const Tile& tile) const override;
  void backward(const Tile& tile) const override;

 private:
  std::int64_t size_;
};

}  // namespace sotto::fused
