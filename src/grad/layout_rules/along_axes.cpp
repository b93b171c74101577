// Operations that compute along axes, which must not hold the samples.

#include <type_traits>

#include "grad/layout_rules/placement.h"
#include "grad/libtorch/nodes.h"

namespace sotto::grad {
namespace {

// Axis `dim` is computed as a whole (softmax, cat, slice, ...): it must not hold the samples.
Owners across_axis(const OwnedOutput& out, std::int64_t dim) {
  const SampleAxis axis = out.axis();
  if (axis.axis == wrap(dim, out.shape().size())) throw LayoutRefusal(kMixes);
  return all_inputs_at(out, axis);
}

template <typename N>
Owners across_dim(const OwnedOutput& out) {
  return across_axis(out, static_cast<const N&>(out.node).dim);
}

template <typename N>
Owners across_dims(const OwnedOutput& out) {
  Owners owners = same_elements(out);
  for (const auto dim : static_cast<const N&>(out.node).dims) owners = across_axis(out, dim);
  return owners;
}

// A reduction over several axes of the input.
Owners reduced(const OwnedOutput& out, c10::IntArrayRef dims, bool keepdim) {
  const std::size_t rank = input_shape(out.node.next_edge(0)).size();
  std::vector<bool> is_reduced(rank, dims.empty());  // no dims: all
  for (const auto dim : dims) is_reduced[wrap(dim, rank)] = true;
  SampleAxis axis = out.axis();
  if (!keepdim) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < rank; ++i) {
      if (!is_reduced[i] && kept++ == axis.axis) {
        axis.axis = i;
        break;
      }
    }
  }
  if (is_reduced[axis.axis]) throw LayoutRefusal(kMixes);
  return first_input_at(out, axis);
}

template <typename N>
Owners reduced_dims(const OwnedOutput& out) {
  const auto& node = static_cast<const N&>(out.node);
  if constexpr (std::is_same_v<decltype(node.dim), std::vector<std::int64_t>>) {
    return reduced(out, node.dim, node.keepdim);
  } else {
    const auto dims = node.dim.list;
    return reduced(out, dims ? c10::IntArrayRef(*dims) : c10::IntArrayRef(), node.keepdim);
  }
}

template <typename N>
Owners reduced_dim(const OwnedOutput& out) {
  const auto& node = static_cast<const N&>(out.node);
  return reduced(out, node.dim, node.keepdim);
}

}  // namespace

void add_axis_layouts(LayoutTable& table) {
  table.add({"SliceBackward0"}, across_dim<gen::SliceBackward0>);
  table.add({"SplitBackward0"}, across_dim<gen::SplitBackward0>);
  table.add({"SplitWithSizesBackward0"}, across_dim<gen::SplitWithSizesBackward0>);
  table.add({"UnsafeSplitBackward0"}, across_dim<gen::UnsafeSplitBackward0>);
  table.add({"UnsafeSplitWithSizesBackward0"}, across_dim<gen::UnsafeSplitWithSizesBackward0>);
  table.add({"CatBackward0"}, across_dim<gen::CatBackward0>);
  table.add({"GatherBackward0"}, across_dim<gen::GatherBackward0>);
  table.add({"IndexSelectBackward0"}, across_dim<gen::IndexSelectBackward0>);
  table.add({"FlipBackward0"}, across_dims<gen::FlipBackward0>);
  table.add({"SoftmaxBackward0"}, across_dim<gen::SoftmaxBackward0>);
  table.add({"SafeSoftmaxBackward0"}, across_dim<SafeSoftmaxNode>);
  table.add({"LogSoftmaxBackward0"}, across_dim<gen::LogSoftmaxBackward0>);
  table.add({"CumsumBackward0"}, across_dim<gen::CumsumBackward0>);
  table.add({"GluBackward0"}, across_dim<gen::GluBackward0>);
  table.add({"SumBackward1"}, reduced_dims<gen::SumBackward1>);
  table.add({"MeanBackward1"}, reduced_dims<gen::MeanBackward1>);
  table.add({"AmaxBackward0"}, reduced_dims<gen::AmaxBackward0>);
  table.add({"AminBackward0"}, reduced_dims<gen::AminBackward0>);
  table.add({"LogsumexpBackward0"}, reduced_dims<gen::LogsumexpBackward0>);
  table.add({"NormBackward1"}, reduced_dims<gen::NormBackward1>);
  table.add({"LinalgVectorNormBackward0"}, reduced_dims<gen::LinalgVectorNormBackward0>);
  table.add({"VarBackward0"}, reduced_dims<gen::VarBackward0>);
  table.add({"MaxBackward0"}, reduced_dim<gen::MaxBackward0>);
  table.add({"MinBackward0"}, reduced_dim<gen::MinBackward0>);
  table.add({"SumBackward0", "MeanBackward0"}, [](const OwnedOutput&) -> Owners {
    throw LayoutRefusal("reduces over the whole batch; keep one value per sample (reduction none)");
  });
}

}  // namespace sotto::grad
