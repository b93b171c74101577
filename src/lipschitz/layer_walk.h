// Bounds along a list of layers.
#pragma once

#include <string>
#include <vector>

#include "lipschitz/sensitivity.h"

namespace sotto::lipschitz {

// ‖x‖ before the first layer, then after each.
std::vector<double> norms_through(const std::vector<NamedLayer>& layers, double input);
// ‖∂ℓ/∂x‖ before the first layer, then after each; the last is `output`.
std::vector<double> cotangents_through(const std::vector<NamedLayer>& layers, double output);
double displacement_through(const std::vector<NamedLayer>& layers, double input);
// Names get `prefix` and the layer's name in front.
std::vector<ParameterBound> parameter_bounds_through(const std::vector<NamedLayer>& layers,
                                                     double input, double output,
                                                     const std::string& prefix);

}  // namespace sotto::lipschitz
