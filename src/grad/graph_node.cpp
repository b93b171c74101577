#include "grad/graph_node.h"

#include <c10/core/SymIntArrayRef.h>
#include <torch/csrc/autograd/functions/accumulate_grad.h>
#include <torch/csrc/autograd/input_metadata.h>

#include "grad/libtorch/saved_values.h"

namespace sotto::grad {
namespace {

using torch::autograd::InputMetadata;

// InputMetadata keeps its shape to itself in LibTorch 1.13 (later releases publish it); the only
// public way to it allocates a tensor of that shape. An explicit instantiation may name a private
// member.
using ShapeOf = c10::SymIntArrayRef (InputMetadata::*)() const;
c10::SymIntArrayRef shape_of(const InputMetadata& metadata);
template <ShapeOf member>
struct Reader {
  friend c10::SymIntArrayRef shape_of(const InputMetadata& metadata) {
    return (metadata.*member)();
  }
};
template struct Reader<&InputMetadata::shape_as_dim_vector>;

}  // namespace

Shape output_shape(const Node& node, std::size_t output) {
  return wholes(shape_of(node.input_metadata(output)));
}

std::string node_name(const Node& node) {
  const std::string name = node.name();
  const std::string own = "torch::autograd::";  // another namespace is another operation
  return name.starts_with(own) ? name.substr(own.size()) : name;
}

at::Tensor accumulated_parameter(const Node& node) {
  const auto* accumulate = dynamic_cast<const torch::autograd::AccumulateGrad*>(&node);
  return accumulate == nullptr ? at::Tensor() : accumulate->variable;
}

}  // namespace sotto::grad
