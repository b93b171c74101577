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
  bool has = !node.pre_hooks().empty() || !node.post_hooks().empty();
#if TORCH_VERSION_MAJOR >= 2
  has = has || !node.tensor_pre_hooks().empty();
#endif
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 1)
  has = has || node.tensor_post_acc_grad_hooks() != nullptr;
#endif
  return has;
}

}  // namespace sotto::grad
