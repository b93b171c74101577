// The part of the graph that is the same for all samples: functions of parameters alone, such as a
// transposed, sliced or normalised weight.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>
#include <vector>

#include "grad/graph_node.h"

namespace sotto::grad {

// Throws LayoutRefusal unless the node's operation takes nothing but its graph inputs, so that a
// tensor computed from data cannot enter where a parameter is expected.
void require_parameters_only(const Node& node);

// From a tensor that operations use back to the one parameter it is a view of.
class ViewChain {
 public:
  // Nothing if the path from `edge` branches, ends elsewhere, or is not made of views.
  static std::optional<ViewChain> from(const Edge& edge);

  const at::Tensor& parameter() const { return parameter_; }
  // True if every element of the parameter is used: then norms are those of the parameter.
  bool covers_parameter() const { return covers_; }
  // Two uses with the same signature see the parameter in the same way.
  const std::string& signature() const { return signature_; }
  // True or false if the used tensor is the parameter, a matrix, transposed or as it is; nothing if
  // it is anything else.
  std::optional<bool> transposed() const;
  // The parameter itself.
  static ViewChain identity(at::Tensor parameter);
  // Per-sample gradients of the used tensor (n, *used shape) as those of the parameter (n, *shape).
  at::Tensor pull_back(at::Tensor gradients) const;

 private:
  struct View {
    const Node* node;
    std::size_t output;
    Shape input_shape;
  };
  std::vector<View> views_;
  at::Tensor parameter_;
  std::string signature_;
  bool covers_ = true;
};

}  // namespace sotto::grad
