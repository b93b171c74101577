// The scattering transform as a layer: fixed, without parameters, and without a gradient.
#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/cloneable.h>
#include <torch/nn/pimpl.h>

#include <memory>
#include <ostream>

#include "sotto/features/scattering.h"

namespace sotto::models {

// pictures (N, C, H, W) -> (N, C channels(), map height, map width), colour by colour. A sample's
// features are a function of that sample alone, so that private training on them promises what it
// promises on the pictures.
class ScatteringImpl : public torch::nn::Cloneable<ScatteringImpl> {
 public:
  // Throws InvalidArgument as features::Scattering does.
  explicit ScatteringImpl(const features::ScatteringOptions& options);

  void reset() override {}
  void pretty_print(std::ostream& stream) const override;
  // Throws InvalidArgument for another shape, and for pictures that ask for a gradient.
  at::Tensor forward(const at::Tensor& pictures);

  const features::Scattering& transform() const { return *transform_; }

 private:
  std::shared_ptr<const features::Scattering> transform_;
};
TORCH_MODULE(Scattering);

}  // namespace sotto::models
