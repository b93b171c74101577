// Walks the autograd graph of the per-sample losses and finds where parameters are used.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "grad/graph_node.h"
#include "grad/layout_rules.h"
#include "grad/libtorch/nodes.h"

namespace sotto::grad {

// Input number `input` of `node` is the same for all samples and depends on trainable parameters,
// while the node's output belongs to samples. Here per-sample gradients are taken.
struct Boundary {
  NodePointer node;
  std::size_t input = 0;
  std::size_t output = 0;  // the one output in use
  SampleLayout layout;     // of that output

  const Edge& shared() const { return node->next_edge(input); }
};

struct TracedParameter {
  std::string name;
  at::Tensor tensor;
};

// All uses of the parameters in the graph of losses (N), N >= 2. Throws NotSeparable, naming the
// operation and the parameter under it, if samples are not kept apart.
std::vector<Boundary> trace(const at::Tensor& losses,
                            const std::vector<TracedParameter>& parameters);

}  // namespace sotto::grad
