// From torch::nn modules to the layers of a fused network.
#pragma once

#include <torch/nn/modules/container/sequential.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "fused/network.h"
#include "sotto/grad/grad.h"

namespace sotto::grad {

// The model has a layer without a fused kernel; the message names it.
class NotFused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws NotFused.
class FusedCompiler {
 public:
  // trained: numbers 0, 1, ... in this order.
  FusedCompiler(const std::vector<std::int64_t>& sample_shape, std::vector<NamedParameter> trained);

  void add(const torch::nn::Sequential& model, const std::string& prefix);
  // All parameters by number. Throws if a trained one is not used by any layer.
  std::vector<at::Tensor> finish();
  fused::Network take_network() { return std::move(network_); }
  // Dropout and the like, which differ while training; owned by the model.
  const std::vector<const torch::nn::Module*>& droppers() const { return droppers_; }

 private:
  void add_module(const torch::nn::Module& module, const std::string& name);
  bool add_weighted(const torch::nn::Module& module, const std::string& name);
  bool add_pooling(const torch::nn::Module& module, const std::string& name);
  bool add_activation(const torch::nn::Module& module, const std::string& name);
  bool add_container(const torch::nn::Module& module, const std::string& name);
  void require_image(const std::string& name) const;
  void require_flat(const std::string& name) const;
  void add_residual(const torch::nn::Module& module, const std::string& name);
  void add_layer_norm(const torch::nn::Module& module, const std::string& name);
  void add_flatten(const torch::nn::Module& module, const std::string& name);
  fused::Parameter number(const at::Tensor& tensor, const std::string& name);

  fused::Network network_;
  bool flat_;
  std::vector<NamedParameter> trained_;
  std::vector<bool> used_;  // by trained parameter
  std::vector<at::Tensor> frozen_;
  std::vector<const torch::nn::Module*> droppers_;
};

}  // namespace sotto::grad
