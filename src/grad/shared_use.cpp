#include "grad/shared_use.h"

#include <string>
#include <unordered_map>

#include "grad/libtorch/nodes.h"
#include "grad/rules/rules.h"

namespace sotto::grad {
namespace {

const std::unordered_map<std::string, Rule>& rules() {
  static const std::unordered_map<std::string, Rule> table{
      {"MmBackward0", mm_use},
      {"AddmmBackward0", addmm_use},
      {"ConvolutionBackward0", convolution_use},
      {"ConvolutionBackwardBackward0", convolution_backward_use},
      {"EmbeddingBackward0", embedding_use},
      {"EmbeddingBagBackward0", embedding_bag_use},
      {"NativeLayerNormBackward0", layer_norm_use},
      {"NativeGroupNormBackward0", group_norm_use},
      {kPreluNode, prelu_use},
      {"AddBackward0", add_use},
      {"SubBackward0", sub_use},
      {"MulBackward0", mul_use},
      {"ExpandBackward0", expand_use},
      {"RepeatBackward0", repeat_use},
  };
  return table;
}

}  // namespace

std::unique_ptr<SharedUse> make_shared_use(const Boundary& boundary, const at::Tensor& gradient,
                                           std::int64_t samples) {
  const auto axis = OwnedOutput{*boundary.node, boundary.output, samples, boundary.layout}.axis();
  const UseOf use{boundary, gradient, samples, axis};
  const auto rule = rules().find(node_name(*boundary.node));
  if (rule != rules().end()) {
    if (auto result = rule->second(use)) return result;
  }
  return masked_use(use);
}

}  // namespace sotto::grad
