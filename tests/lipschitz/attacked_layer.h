// One layer, and how large its output, its input's gradient and its parameters' gradients can be
// made by whoever chooses input and gradient.
#pragma once

#include <string>
#include <vector>

#include "lipschitz/sensitivity.h"
#include "tests/lipschitz/ascent.h"

namespace sotto::lipschitz {

class AttackedLayer {
 public:
  // `network` holds the layer alone; `shape` is that of one sample. It is attacked in double: what
  // is looked for is an error of the proof, not of rounding.
  AttackedLayer(torch::nn::Sequential network, std::vector<std::int64_t> shape);

  const BoundedLayer& layer() const { return *layers_.front().layer; }
  torch::nn::Sequential& network() { return network_; }

  // Moves all parameters far away, then projects.
  void shake();

  // Largest found, for inputs of norm `input`, gradients of norm `cotangent`.
  double output(double input);
  double displacement(double input, double moved);
  double cotangent(double input, double cotangent);
  double parameter(const std::string& name, double input, double cotangent);

 private:
  // The objective <y, g> of (x, g), differentiated with respect to what is asked for.
  torch::Tensor product(const std::vector<torch::Tensor>& point);
  std::vector<Searched> input_and_cotangent(double input, double cotangent) const;

  torch::nn::Sequential network_;
  std::vector<std::int64_t> shape_;
  std::vector<std::int64_t> output_shape_;
  std::vector<NamedLayer> layers_;
};

// What is attained of each bound, at one norm of input and gradient: at most 1 if all hold.
struct Attained {
  double output = 0;
  double displacement = 0;
  double cotangent = 0;
  double parameter = 1;  // the least of all parameters; 1 if there are none
  double most = 0;       // of all of these
};
Attained attained(AttackedLayer& attacked, double norm);

}  // namespace sotto::lipschitz
