// Networks with branches: split, work on one branch, merge.
#pragma once

#include <torch/nn/cloneable.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/pimpl.h>

#include <memory>
#include <vector>

#include "sotto/lipschitz/bounded_layer.h"

namespace sotto::lipschitz {

// One branch becomes two equal ones. Their gradients add up.
class SplitResidualImpl : public torch::nn::Cloneable<SplitResidualImpl>, public BranchedLayer {
 public:
  void reset() override {}
  std::vector<at::Tensor> run(const std::vector<at::Tensor>& inputs) override;
  std::string kind() const override { return "split"; }
  Norms output_norms(const Norms& inputs) const override;
  Norms displacements(const Norms& inputs) const override { return output_norms(inputs); }
  Norms cotangents(const Norms& outputs) const override;
};
TORCH_MODULE(SplitResidual);

enum class Addition {
  kSum,      // x1 + x2: bounds add up
  kAverage,  // (x1 + x2)/2: a block of 1-Lipschitz branches is 1-Lipschitz
};

// Two branches become one.
class MergeResidualImpl : public torch::nn::Cloneable<MergeResidualImpl>, public BranchedLayer {
 public:
  explicit MergeResidualImpl(Addition addition = Addition::kAverage);
  void reset() override {}
  std::vector<at::Tensor> run(const std::vector<at::Tensor>& inputs) override;
  std::string kind() const override;
  Norms output_norms(const Norms& inputs) const override;
  Norms displacements(const Norms& inputs) const override { return output_norms(inputs); }
  Norms cotangents(const Norms& outputs) const override;

  Addition addition;

 private:
  double weight() const { return addition == Addition::kSum ? 1 : 0.5; }
};
TORCH_MODULE(MergeResidual);

// Runs bounded layers, one after another, on the second of two branches.
class WrappedResidualImpl : public torch::nn::Cloneable<WrappedResidualImpl>, public BranchedLayer {
 public:
  explicit WrappedResidualImpl(torch::nn::Sequential block);
  void reset() override;
  std::vector<at::Tensor> run(const std::vector<at::Tensor>& inputs) override;
  std::string kind() const override { return "wrapped block"; }
  Norms output_norms(const Norms& inputs) const override;
  Norms displacements(const Norms& inputs) const override;
  Norms cotangents(const Norms& outputs) const override;
  std::vector<ParameterBound> parameter_bounds(const Norms& inputs,
                                               const Norms& outputs) const override;
  void project() override;

  torch::nn::Sequential block;
};
TORCH_MODULE(WrappedResidual);

// A list of layers with any number of branches between them, one branch at either end: itself a
// layer, to stand in a Sequential.
class BranchesImpl : public torch::nn::Cloneable<BranchesImpl>, public OneBranchLayer {
 public:
  // Each a module that is a BranchedLayer. Throws InvalidArgument, naming it, for one that is not,
  // or if the branches do not fit.
  explicit BranchesImpl(std::vector<std::shared_ptr<torch::nn::Module>> layers);
  void reset() override;
  at::Tensor forward(const at::Tensor& x);
  std::string kind() const override { return "branches"; }
  double output_norm(double input) const override;
  double displacement(double input) const override;
  double cotangent(double output) const override;
  std::vector<ParameterBound> parameter_bounds_of(double input, double cotangent) const override;
  void project() override;

 private:
  void register_layers();
  std::vector<std::shared_ptr<torch::nn::Module>> layers_;
};
TORCH_MODULE(Branches);

// merge(x, block(x)).
Branches residual_block(torch::nn::Sequential block, Addition addition = Addition::kAverage);

}  // namespace sotto::lipschitz
