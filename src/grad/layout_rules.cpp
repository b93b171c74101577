#include "grad/layout_rules.h"

#include "grad/layout_rules/layout_table.h"
#include "grad/own_functions.h"

namespace sotto::grad {
namespace {

LayoutTable make_layout_table() {
  LayoutTable table;
  add_elementwise_layouts(table);
  add_shape_layouts(table);
  add_axis_layouts(table);
  add_layer_layouts(table);
  return table;
}

// Made by TorchScript's executor, or by torch.compile: one node for many operations.
bool is_compiled(const std::string& name) {
  return name.find("DifferentiableGraph") != name.npos || name.find("Compiled") != name.npos;
}

}  // namespace

SampleAxis OwnedOutput::axis() const {
  const auto axis = find_sample_axis(shape(), layout, samples);
  if (!axis) throw LayoutRefusal("is applied where samples and another axis are folded together");
  return *axis;
}

std::vector<Owner> input_owners(const OwnedOutput& output) {
  static const LayoutTable table = make_layout_table();
  const LayoutRule* rule = table.find(node_name(output.node));
  if (rule != nullptr) return (*rule)(output);
  if (is_compiled(node_name(output.node))) {
    throw LayoutRefusal(
        "is a compiled graph, in which samples cannot be told apart; use the model as it is before "
        "torch::jit or torch.compile");
  }
  if (!is_sample_by_sample(node_name(output.node))) {
    throw LayoutRefusal("is not known to keep samples apart");
  }
  if (output.axis().axis != 0) throw LayoutRefusal("takes samples along the first axis only");
  return std::vector<Owner>(output.node.num_outputs(), Owner{output.layout});
}

}  // namespace sotto::grad
