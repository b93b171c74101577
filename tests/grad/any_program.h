// Small random models: a layer, then operations of which some mix samples.
//
// Left out is what docs/training.md names as invisible in a graph: statistics of the batch, and
// other samples, that enter as constants, and losses in another order than the inputs. Everything
// else that mixes samples must be refused.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/grad/any_layer.h"

namespace sotto::grad {

using ProgramStep = std::function<torch::Tensor(const torch::Tensor&)>;

// A layer and what follows it.
struct Program : torch::nn::Module {
  explicit Program(const AnyLayer& first);
  void add(const struct OperationKind& kind);
  torch::Tensor forward(const torch::Tensor& x) const;
  // A parameter, or a buffer, for an operation.
  torch::Tensor parameter(const std::vector<std::int64_t>& shape);
  torch::Tensor buffer(const std::vector<std::int64_t>& shape);

  Layer first;
  std::vector<ProgramStep> operations;
  torch::Tensor probe;  // what comes out so far, of three samples
  std::string description;
};

// Maps (N, ...) to (N, ...).
struct OperationKind {
  const char* name;
  bool mixes;  // samples, or writes to a buffer
  // `shape` is that of one sample.
  ProgramStep (*make)(Program& program, const std::vector<std::int64_t>& shape);
};

const std::vector<OperationKind>& operation_kinds();

// Any layer, then one to four operations, a quarter of which mix.
AnyLayer any_program();
// Exactly this.
AnyLayer program_of(const AnyLayer& first, const std::vector<OperationKind>& kinds);

}  // namespace sotto::grad
