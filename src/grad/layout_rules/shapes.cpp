// Elements that move, or are repeated, dropped or put, but not computed with.

#include <utility>

#include "grad/layout_rules/placement.h"
#include "grad/libtorch/nodes.h"

namespace sotto::grad {
namespace {

// The input has one axis more than the output, at `dim`.
Owners dropped_axis(const OwnedOutput& out, std::int64_t dim) {
  SampleAxis axis = out.axis();
  if (axis.axis >= wrap(dim, out.shape().size() + 1)) ++axis.axis;
  return first_input_at(out, axis);
}

template <typename N>
Owners dropped_dim(const OwnedOutput& out) {
  return dropped_axis(out, static_cast<const N&>(out.node).dim);
}

Owners permuted(const OwnedOutput& out, const std::vector<std::size_t>& input_axis_of_output) {
  SampleAxis axis = out.axis();
  axis.axis = input_axis_of_output[axis.axis];
  return first_input_at(out, axis);
}

Owners transposed_axes(const OwnedOutput& out, std::int64_t dim0, std::int64_t dim1) {
  std::vector<std::size_t> order(out.shape().size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  if (order.size() >= 2)
    std::swap(order[wrap(dim0, order.size())], order[wrap(dim1, order.size())]);
  return permuted(out, order);
}

template <typename N>
Owners transposed(const OwnedOutput& out) {
  const auto& node = static_cast<const N&>(out.node);
  return transposed_axes(out, node.dim0, node.dim1);
}

Owners permutation(const OwnedOutput& out) {
  const auto& dims = static_cast<const gen::PermuteBackward0&>(out.node).dims;
  std::vector<std::size_t> order;
  order.reserve(dims.size());
  for (const auto dim : dims) order.push_back(wrap(dim, dims.size()));
  return permuted(out, order);
}

Owners stacked(const OwnedOutput& out) {
  SampleAxis axis = out.axis();
  const auto dim = wrap(static_cast<const gen::StackBackward0&>(out.node).dim, out.shape().size());
  if (axis.axis == dim) throw LayoutRefusal(kMixes);
  if (axis.axis > dim) --axis.axis;
  return all_inputs_at(out, axis);
}

// A shared tensor repeated for every sample.
Owners repeated(const OwnedOutput& out) {
  const SampleAxis axis = out.axis();
  const Shape input = input_shape(out.node.next_edge(0));
  const std::size_t missing = out.shape().size() - input.size();
  if (axis.axis < missing) return Owners(1);
  if (axis.after % input[axis.axis - missing] != 0) throw LayoutRefusal(kMixes);
  return Owners(1);
}

Owners constant_pad(const OwnedOutput& out) {
  const auto pad = wholes(static_cast<const gen::ConstantPadNdBackward0&>(out.node).pad);
  const SampleAxis axis = out.axis();
  const std::size_t from_last = out.shape().size() - 1 - axis.axis;
  if (2 * from_last + 1 < pad.size() && (pad[2 * from_last] != 0 || pad[2 * from_last + 1] != 0)) {
    throw LayoutRefusal(kMixes);
  }
  return first_input_at(out, axis);
}

// Constants put over some elements; the others pass.
Owners constants_put(const OwnedOutput& out) {
  if (out.node.next_edge(1).is_valid()) throw LayoutRefusal("moves values between places");
  return {Owner{out.layout}, Owner{}};
}

}  // namespace

void add_shape_layouts(LayoutTable& table) {
  table.add(
      {"ViewBackward0", "ReshapeAliasBackward0", "UnsafeViewBackward0", "ReshapeCopyBackward0",
       "SqueezeBackward0", "SqueezeBackward1", "SqueezeBackward2", "SqueezeBackward3",
       "SqueezeBackward4", "SqueezeBackward5", "UnsqueezeBackward0", "UnsqueezeBackward1"},
      same_elements);
  table.add({"TBackward0", "TBackward1"},
            [](const OwnedOutput& out) { return transposed_axes(out, 0, 1); });
  table.add({"TransposeBackward0"}, transposed<gen::TransposeBackward0>);
  table.add({"TransposeBackward1"}, transposed<gen::TransposeBackward1>);
  table.add({"PermuteBackward0"}, permutation);
  table.add({"SelectBackward0"}, dropped_dim<gen::SelectBackward0>);
  table.add({"UnbindBackward0"}, dropped_dim<gen::UnbindBackward0>);
  table.add({"StackBackward0"}, stacked);
  table.add({"RepeatBackward0"}, repeated);
  table.add({"ConstantPadNdBackward0"}, constant_pad);
  table.add({"IndexPutBackward0", "IndexPutImplBackward0"}, constants_put);
}

}  // namespace sotto::grad
