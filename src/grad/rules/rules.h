// The rules: from an operation and the gradient of its output to per-sample gradients of a shared
// input. One file an operation family. A rule answers null for a case that it does not cover; the
// masked rule covers every case, slowly.
#pragma once

#include <memory>

#include "grad/layout_rules.h"
#include "grad/shared_use.h"

namespace sotto::grad {

struct UseOf {
  const Boundary& boundary;
  const at::Tensor& gradient;  // of the output
  std::int64_t samples = 0;
  SampleAxis axis;  // of the output

  template <typename N>
  N& node() const {
    return static_cast<N&>(*boundary.node);
  }
  std::size_t input() const { return boundary.input; }
  Shape shape() const { return input_shape(boundary.shared()); }
};

using Rule = std::unique_ptr<SharedUse> (*)(const UseOf&);

std::unique_ptr<SharedUse> mm_use(const UseOf& use);
std::unique_ptr<SharedUse> addmm_use(const UseOf& use);
std::unique_ptr<SharedUse> convolution_use(const UseOf& use);
std::unique_ptr<SharedUse> convolution_backward_use(const UseOf& use);
std::unique_ptr<SharedUse> embedding_use(const UseOf& use);
std::unique_ptr<SharedUse> embedding_bag_use(const UseOf& use);
std::unique_ptr<SharedUse> layer_norm_use(const UseOf& use);
std::unique_ptr<SharedUse> group_norm_use(const UseOf& use);
std::unique_ptr<SharedUse> prelu_use(const UseOf& use);
std::unique_ptr<SharedUse> add_use(const UseOf& use);
std::unique_ptr<SharedUse> sub_use(const UseOf& use);
std::unique_ptr<SharedUse> mul_use(const UseOf& use);
std::unique_ptr<SharedUse> expand_use(const UseOf& use);
std::unique_ptr<SharedUse> repeat_use(const UseOf& use);
// Exact for every operation: the gradient of one sample is the operation's own backward, given the
// output gradient of that sample alone. One call a sample.
std::unique_ptr<SharedUse> masked_use(const UseOf& use);

}  // namespace sotto::grad
