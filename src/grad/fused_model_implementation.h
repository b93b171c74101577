// A fused model's program, and the checks between tensors and its pointers.
#pragma once

#include <cstdint>
#include <vector>

#include "fused/program.h"
#include "sotto/grad/grad.h"

namespace sotto::grad {

struct FusedModel::Implementation {
  torch::nn::Sequential model;  // keeps the modules alive
  FusedModelOptions options;
  std::vector<const torch::nn::Module*> droppers;
  std::vector<at::Tensor> parameters;  // by number, the trained ones first
  fused::Program program;

  // These throw InvalidArgument for tensors that the program cannot take.
  fused::ParameterValues values() const;
  fused::ProgramInput input(const at::Tensor& inputs, const at::Tensor& records) const;
  at::Tensor targets(const FusedBatch& batch) const;  // of the batch's samples, in their order

  bool dropping() const;
  // What sums with and without clipping have in common; the losses will be in `result`.
  fused::GradientRequest request(const at::Tensor& targets, FusedGradients& result) const;
  std::int64_t outputs() const { return program.network().shape().size(); }
};

}  // namespace sotto::grad
