#include "lipschitz/layer_walk.h"

namespace sotto::lipschitz {

std::vector<double> norms_through(const std::vector<NamedLayer>& layers, double input) {
  std::vector<double> norms{input};
  for (const auto& named : layers) {
    norms.push_back(named.layer->output_norms({norms.back()}).front());
  }
  return norms;
}

std::vector<double> cotangents_through(const std::vector<NamedLayer>& layers, double output) {
  std::vector<double> norms(layers.size() + 1, output);
  for (std::size_t i = layers.size(); i-- > 0;) {
    norms[i] = layers[i].layer->cotangents({norms[i + 1]}).front();
  }
  return norms;
}

double displacement_through(const std::vector<NamedLayer>& layers, double input) {
  for (const auto& named : layers) input = named.layer->displacements({input}).front();
  return input;
}

std::vector<ParameterBound> parameter_bounds_through(const std::vector<NamedLayer>& layers,
                                                     double input, double output,
                                                     const std::string& prefix) {
  const auto norms = norms_through(layers, input);
  const auto cotangents = cotangents_through(layers, output);
  std::vector<ParameterBound> all;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    for (const auto& parameter :
         layers[i].layer->parameter_bounds({norms[i]}, {cotangents[i + 1]})) {
      std::string name = prefix;
      name += layers[i].name + "." + parameter.name;
      all.push_back({name, parameter.bound});
    }
  }
  return all;
}

}  // namespace sotto::lipschitz
