// Layers that know how far one sample can move their output, their input's gradient and their
// parameters' gradient: what is needed to bound a gradient before any data are seen.
//
// All norms are Euclidean, of one sample. A layer takes and gives one or more branches; most have
// one of each, and derive from OneBranchLayer.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

namespace sotto::lipschitz {

// Of each branch.
using Norms = std::vector<double>;

struct ParameterBound {
  std::string name;  // within its layer, e.g. "weight"
  double bound = 0;  // of one sample's gradient
};

class BoundedLayer {
 public:
  virtual ~BoundedLayer() = default;

  // What it is, in a few words, e.g. "spectral linear 784 -> 256".
  virtual std::string kind() const = 0;

  // ‖y‖ at most, for ‖x‖ at most `inputs`.
  virtual Norms output_norms(const Norms& inputs) const = 0;
  // ‖y - y'‖ at most, for ‖x - x'‖ at most `inputs`, with the parameters as they are.
  virtual Norms displacements(const Norms& inputs) const = 0;
  // ‖∂ℓ/∂x‖ at most, for ‖∂ℓ/∂y‖ at most `outputs`.
  virtual Norms cotangents(const Norms& outputs) const = 0;
  // ‖∂ℓ/∂θ‖ at most, for every trainable parameter θ of the layer.
  virtual std::vector<ParameterBound> parameter_bounds(const Norms& /*inputs*/,
                                                       const Norms& /*cotangents*/) const {
    return {};
  }

  // Puts the parameters back to where the bounds hold; they hold from then on until the parameters
  // change again.
  virtual void project() {}
};

// One branch in, one out; by default 1-Lipschitz, with f(0) = 0 and without parameters.
class OneBranchLayer : public BoundedLayer {
 public:
  virtual double output_norm(double input) const { return input; }
  virtual double displacement(double input) const { return input; }
  virtual double cotangent(double output) const { return output; }
  virtual std::vector<ParameterBound> parameter_bounds_of(double /*input*/,
                                                          double /*cotangent*/) const {
    return {};
  }

  Norms output_norms(const Norms& inputs) const final { return {output_norm(only(inputs))}; }
  Norms displacements(const Norms& inputs) const final { return {displacement(only(inputs))}; }
  Norms cotangents(const Norms& outputs) const final { return {cotangent(only(outputs))}; }
  std::vector<ParameterBound> parameter_bounds(const Norms& inputs,
                                               const Norms& outputs) const final {
    return parameter_bounds_of(only(inputs), only(outputs));
  }

 private:
  // Throws InvalidArgument, naming the layer, unless there is one branch.
  double only(const Norms& norms) const;
};

// A layer of several branches.
class BranchedLayer : public BoundedLayer {
 public:
  // One tensor per branch.
  virtual std::vector<at::Tensor> run(const std::vector<at::Tensor>& inputs) = 0;
};

}  // namespace sotto::lipschitz
