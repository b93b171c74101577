#include "grad/layout_rules/placement.h"

namespace sotto::grad {

Owners same_elements(const OwnedOutput& out) {
  return Owners(out.node.num_outputs(), Owner{out.layout});
}

Owner owner_at(const Edge& edge, const SampleAxis& axis, std::int64_t samples) {
  if (!edge.is_valid()) return {};
  const auto layout = layout_with_axis(input_shape(edge), axis, samples);
  if (!layout) throw LayoutRefusal(kMixes);
  return {layout};
}

Owners first_input_at(const OwnedOutput& out, const SampleAxis& axis) {
  Owners owners(out.node.num_outputs());
  if (!owners.empty()) owners[0] = owner_at(out.node.next_edge(0), axis, out.samples);
  return owners;
}

Owners all_inputs_at(const OwnedOutput& out, const SampleAxis& axis) {
  Owners owners;
  for (const auto& edge : out.node.next_edges()) {
    owners.push_back(owner_at(edge, axis, out.samples));
  }
  return owners;
}

Owner broadcast_owner(const OwnedOutput& out, const Edge& edge) {
  const Shape shape = out.shape();
  const Shape input = input_shape(edge);
  if (input == shape) return {out.layout};
  SampleAxis axis = out.axis();
  const std::size_t missing = shape.size() - input.size();
  if (axis.axis < missing) return {};
  axis.axis -= missing;
  if (input[axis.axis] == 1) return {};
  return owner_at(edge, axis, out.samples);
}

}  // namespace sotto::grad
