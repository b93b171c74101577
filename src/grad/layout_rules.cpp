#include "grad/layout_rules.h"

#include "grad/layout_rules/layout_table.h"

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

}  // namespace

SampleAxis OwnedOutput::axis() const {
  const auto axis = find_sample_axis(shape(), layout, samples);
  if (!axis) throw LayoutRefusal("is applied where samples and another axis are folded together");
  return *axis;
}

std::vector<Owner> input_owners(const OwnedOutput& output) {
  static const LayoutTable table = make_layout_table();
  const LayoutRule* rule = table.find(node_name(output.node));
  if (rule == nullptr) throw LayoutRefusal("is not known to keep samples apart");
  return (*rule)(output);
}

}  // namespace sotto::grad
