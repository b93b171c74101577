// LibTorch's backward nodes, and what differs between its releases in their names.
#pragma once

#include <torch/csrc/autograd/generated/Functions.h>
#include <torch/version.h>

#include <memory>
#include <type_traits>

#include "grad/libtorch/saved_values.h"

namespace sotto::grad {

namespace gen = torch::autograd::generated;

// Shared or intrusive, by release.
using NodePointer = decltype(torch::autograd::Edge::function);

// A node of one's own.
template <typename Made>
NodePointer make_node() {
  if constexpr (std::is_same_v<NodePointer, std::shared_ptr<torch::autograd::Node>>) {
    return std::make_shared<Made>();
  } else {
    return c10::make_intrusive<Made>();
  }
}

// torch::prelu(input, weight). Until 2.0 the weight lies along axis 1, whatever its shape; since
// then it is reshaped before, and broadcast like any operand.
#if TORCH_VERSION_MAJOR >= 2
using PreluNode = gen::PreluKernelBackward0;
inline constexpr const char* kPreluNode = "PreluKernelBackward0";
inline constexpr bool kPreluBroadcasts = true;
#else
using PreluNode = gen::PreluBackward0;
inline constexpr const char* kPreluNode = "PreluBackward0";
inline constexpr bool kPreluBroadcasts = false;
#endif

// The softmax of attention that allows rows without any place to look at, "SafeSoftmaxBackward0".
// Before 2.5 there is no node of that name.
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 5)
using SafeSoftmaxNode = gen::SafeSoftmaxBackward0;
#else
using SafeSoftmaxNode = gen::SoftmaxBackward0;
#endif

}  // namespace sotto::grad
