// The networks that are measured, with data for one batch.
#pragma once

#include <torch/torch.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sotto::bench {

struct Work {
  std::string name;
  std::int64_t batch = 0;
  std::shared_ptr<torch::nn::Module> model;
  // The model's scores (N, classes) of inputs (N, ...).
  std::function<torch::Tensor(const torch::Tensor&)> forward;
  torch::nn::Sequential sequential{nullptr};  // set if the model is one: it may be fused
  torch::Tensor inputs;
  torch::Tensor labels;

  torch::Tensor losses() const;  // (N)
  std::int64_t parameters() const;
};

// cnn, mlp, vgg-head, resnet20, lstm, transformer.
const std::vector<std::string>& work_names();
// The batches at which a work is measured.
std::vector<std::int64_t> batches_of(const std::string& name);
// `scale` multiplies the width of the mlp's hidden layers; the other works take 1 only.
Work make_work(const std::string& name, std::int64_t batch, std::int64_t scale = 1);

}  // namespace sotto::bench
