// Critics, and what generator and critic need to fit the data. Both are given the label, so that
// labelled data can be published.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/pimpl.h>

#include <cstdint>
#include <vector>

#include "sotto/gan/generator_file.h"

namespace sotto::gan {

// Fits images or rows. Throws InvalidArgument, naming what is accepted, for a shape that the
// networks cannot take.
void require_fits(Networks networks, const NetworkShape& shape);
// The default.
Networks default_networks(const std::vector<std::int64_t>& sample_shape);
// The latent vector's length that the networks need, or `wanted`.
std::int64_t latent_size(Networks networks, const std::vector<std::int64_t>& sample_shape,
                         std::int64_t wanted);

// Samples (n, *shape), one-hot labels (n, classes) -> scores (n), larger for real ones. No layer
// mixes samples.
class CriticImpl : public torch::nn::Module {
 public:
  CriticImpl(Networks networks, const NetworkShape& shape);
  at::Tensor forward(const at::Tensor& samples, const at::Tensor& labels);

  // The convolutional part, without the label; and the part behind it, whose input is that part's
  // output and the label.
  torch::nn::Sequential features() const { return features_; }
  torch::nn::Sequential head() const { return head_; }

 private:
  torch::nn::Sequential features_{nullptr};
  torch::nn::Sequential head_{nullptr};
};
TORCH_MODULE(Critic);

}  // namespace sotto::gan
