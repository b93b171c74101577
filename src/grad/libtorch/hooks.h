// What LibTorch would do to gradients between two nodes.
#pragma once

#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/version.h>

namespace sotto::grad {

// True if something of the user's may change gradients at this node. Until 2.0 hooks of tensors,
// and retain_grad(), are among those of nodes; since then they are kept apart, and retain_grad(),
// which only looks, is not counted.
inline bool has_hooks(torch::autograd::Node& node) {
  if (!node.pre_hooks().empty() || !node.post_hooks().empty()) return true;
#if TORCH_VERSION_MAJOR >= 2
  if (!node.tensor_pre_hooks().empty()) return true;
#endif
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 1)
  if (node.tensor_post_acc_grad_hooks() != nullptr) return true;
#endif
  return false;
}

}  // namespace sotto::grad
