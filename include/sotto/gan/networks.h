// Generators and critics. Both are given the label, so that labelled data can be published.
#pragma once

#include <torch/nn/module.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/pimpl.h>

#include <cstdint>
#include <vector>

#include "sotto/gan/gan_config.h"

namespace sotto::gan {

// Features of a row that belong to one column of a table.
struct ColumnSpan {
  std::int64_t begin = 0;
  std::int64_t size = 1;
  bool categorical = false;  // shares that add up to 1; else one number
  bool other = false;        // or to less: the rest is a category that has no feature
  double limit = 1;          // of a number's absolute value
};

struct NetworkShape {
  std::vector<std::int64_t> sample;  // {channels, height, width} or {columns}
  std::int64_t classes = 0;
  std::int64_t latent = 0;
  std::int64_t width = 32;
  std::vector<ColumnSpan> columns = {};  // rows only
};

// Fits images or rows. Throws InvalidArgument, naming what is accepted, for a shape that the
// networks cannot take.
void require_fits(Networks networks, const NetworkShape& shape);
// What is used if nothing is said.
Networks default_networks(const std::vector<std::int64_t>& sample_shape);
// The latent vector's length that the networks need, or `wanted`.
std::int64_t latent_size(Networks networks, const std::vector<std::int64_t>& sample_shape,
                         std::int64_t wanted);

// (n, latent), one-hot labels (n, classes) -> samples (n, *shape): pixels in [-1, 1].
class GeneratorImpl : public torch::nn::Module {
 public:
  GeneratorImpl(Networks networks, const NetworkShape& shape);
  at::Tensor forward(const at::Tensor& latent, const at::Tensor& labels);

 private:
  NetworkShape shape_;
  torch::nn::Sequential body_{nullptr};
};
TORCH_MODULE(Generator);

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
