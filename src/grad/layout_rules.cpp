#include "grad/layout_rules.h"

#include <torch/csrc/autograd/generated/Functions.h>

#include <algorithm>
#include <functional>
#include <unordered_map>

namespace sotto::grad {
namespace {

namespace gen = torch::autograd::generated;
using Owners = std::vector<Owner>;
using LayoutRule = std::function<Owners(const OwnedOutput&)>;

constexpr const char* kMixes = "mixes the samples of a batch";

std::size_t wrap(std::int64_t dim, std::size_t rank) {
  return static_cast<std::size_t>(dim < 0 ? dim + static_cast<std::int64_t>(rank) : dim);
}

Owner owner_at(const Edge& edge, const SampleAxis& axis, std::int64_t samples) {
  if (!edge.is_valid()) return {};
  const auto layout = layout_with_axis(input_shape(edge), axis, samples);
  if (!layout) throw LayoutRefusal(kMixes);
  return {layout};
}

// Input 0 has its samples at `axis`; all others are shared.
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

// Reshapes: the same elements in the same order.
Owners same_elements(const OwnedOutput& out) {
  return Owners(out.node.num_outputs(), Owner{out.layout});
}

// Element-wise operations, with broadcasting: axes are matched from the last.
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

Owners elementwise(const OwnedOutput& out) {
  Owners owners;
  for (const auto& edge : out.node.next_edges()) {
    owners.push_back(edge.is_valid() ? broadcast_owner(out, edge) : Owner{});
  }
  return owners;
}

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

// Convolution, pooling, resampling, group normalisation, class losses: axis 0 counts independent
// items.
Owners leading_axis(const OwnedOutput& out) {
  const SampleAxis axis = out.axis();
  if (axis.axis != 0) throw LayoutRefusal(kMixes);
  return first_input_at(out, axis);
}

Owners layer_norm(const OwnedOutput& out) {
  const auto& node = static_cast<const gen::NativeLayerNormBackward0&>(out.node);
  const SampleAxis axis = out.axis();
  if (axis.axis + node.normalized_shape.size() >= out.shape().size()) throw LayoutRefusal(kMixes);
  return first_input_at(out, axis);
}

// Only as LibTorch runs InstanceNorm: (1, N·C, ...), each channel of each sample for itself.
Owners batch_norm(const OwnedOutput& out) {
  const SampleAxis axis = out.axis();
  if (axis.axis != 1) {
    throw LayoutRefusal(
        "mixes the samples of a batch (batch normalisation); use GroupNorm, or make_compatible()");
  }
  Owners owners = first_input_at(out, axis);
  const SampleAxis channels{0, axis.before, axis.after};
  for (std::size_t i = 1; i < owners.size(); ++i) {
    owners[i] = owner_at(out.node.next_edge(i), channels, out.samples);
  }
  return owners;
}

// out (R, C) = left (R, K) x right (K, C), starting at input `left`: rows belong to samples and the
// right factor is shared, or the other way round.
Owners matrix_product(const OwnedOutput& out, std::size_t left, std::size_t leading_axes) {
  const SampleAxis axis = out.axis();
  Owners owners(out.node.num_outputs());
  const bool rows = axis.axis == leading_axes;
  const bool columns = axis.axis == leading_axes + 1;
  if (!columns) owners[left] = owner_at(out.node.next_edge(left), axis, out.samples);
  if (!rows) owners[left + 1] = owner_at(out.node.next_edge(left + 1), axis, out.samples);
  if (left == 1 && out.node.next_edge(0).is_valid()) {
    owners[0] = broadcast_owner(out, out.node.next_edge(0));
  }
  return owners;
}

Owners embedding(const OwnedOutput& out) {
  if (static_cast<const gen::EmbeddingBackward0&>(out.node).scale_grad_by_freq) {
    throw LayoutRefusal("scales gradients by how often an index occurs in the batch");
  }
  if (out.axis().axis + 1 == out.shape().size()) throw LayoutRefusal(kMixes);
  return Owners(out.node.num_outputs());
}

Owners embedding_bag(const OwnedOutput& out) {
  const auto& node = static_cast<const gen::EmbeddingBagBackward0&>(out.node);
  if (node.scale_grad_by_freq) {
    throw LayoutRefusal("scales gradients by how often an index occurs in the batch");
  }
  if (out.axis().axis != 0) throw LayoutRefusal(kMixes);
  if (out.node.next_edge(1).is_valid()) {
    throw LayoutRefusal("with trainable per-sample weights has no rule");
  }
  return Owners(out.node.num_outputs());
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
  const auto& pad = static_cast<const gen::ConstantPadNdBackward0&>(out.node).pad;
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

using Table = std::unordered_map<std::string, LayoutRule>;

void add(Table& table, std::initializer_list<const char*> names, const LayoutRule& rule) {
  for (const auto* name : names) table.emplace(name, rule);
}

void add_elementwise(Table& table) {
  add(table,
      {"AddBackward0",
       "AddBackward1",
       "SubBackward0",
       "SubBackward1",
       "RsubBackward0",
       "RsubBackward1",
       "MulBackward0",
       "MulBackward1",
       "DivBackward0",
       "DivBackward1",
       "PowBackward0",
       "PowBackward1",
       "PowBackward2",
       "ExpBackward0",
       "Exp2Backward0",
       "Expm1Backward0",
       "LogBackward0",
       "Log1PBackward0",
       "Log2Backward0",
       "Log10Backward0",
       "AbsBackward0",
       "NegBackward0",
       "SqrtBackward0",
       "RsqrtBackward0",
       "SinBackward0",
       "CosBackward0",
       "ErfBackward0",
       "ErfcBackward0",
       "ReciprocalBackward0",
       "SignBackward0",
       "ReluBackward0",
       "ThresholdBackward0",
       "ThresholdBackward1",
       "SigmoidBackward0",
       "TanhBackward0",
       "GeluBackward0",
       "SiluBackward0",
       "MishBackward0",
       "EluBackward0",
       "EluBackward1",
       "LeakyReluBackward0",
       "LeakyReluBackward1",
       "SoftplusBackward0",
       "HardtanhBackward0",
       "HardtanhBackward1",
       "HardswishBackward0",
       "HardsigmoidBackward0",
       "SoftshrinkBackward0",
       "LogSigmoidBackward0",
       "ClampBackward0",
       "ClampBackward1",
       "ClampMinBackward0",
       "ClampMinBackward1",
       "ClampMaxBackward0",
       "ClampMaxBackward1",
       "MaximumBackward0",
       "MinimumBackward0",
       "WhereBackward0",
       "MaskedFillBackward0",
       "NativeDropoutBackward0",
       "AddcmulBackward0",
       "AddcdivBackward0",
       "LerpBackward0",
       "LerpBackward1",
       "CloneBackward0",
       "ToCopyBackward0",
       "AliasBackward0",
       "ExpandBackward0",
       "MseLossBackward0",
       "SmoothL1LossBackward0",
       "HuberLossBackward0",
       "BinaryCrossEntropyBackward0",
       "BinaryCrossEntropyWithLogitsBackward0",
       "LogaddexpBackward0"},
      elementwise);
  add(table, {"PreluBackward0"}, [](const OwnedOutput& out) {
    static_cast<void>(out.axis());
    return Owners{Owner{out.layout}, Owner{}};
  });
}

void add_shapes(Table& table) {
  add(table,
      {"ViewBackward0", "ReshapeAliasBackward0", "UnsafeViewBackward0", "SqueezeBackward0",
       "SqueezeBackward1", "UnsqueezeBackward0", "UnsqueezeBackward1"},
      same_elements);
  add(table, {"TBackward0", "TBackward1"},
      [](const OwnedOutput& out) { return transposed_axes(out, 0, 1); });
  add(table, {"TransposeBackward0"}, transposed<gen::TransposeBackward0>);
  add(table, {"TransposeBackward1"}, transposed<gen::TransposeBackward1>);
  add(table, {"PermuteBackward0"}, permutation);
  add(table, {"SelectBackward0"}, dropped_dim<gen::SelectBackward0>);
  add(table, {"UnbindBackward0"}, dropped_dim<gen::UnbindBackward0>);
  add(table, {"StackBackward0"}, stacked);
  add(table, {"RepeatBackward0"}, repeated);
  add(table, {"ConstantPadNdBackward0"}, constant_pad);
  add(table, {"SliceBackward0"}, across_dim<gen::SliceBackward0>);
  add(table, {"SplitBackward0"}, across_dim<gen::SplitBackward0>);
  add(table, {"SplitWithSizesBackward0"}, across_dim<gen::SplitWithSizesBackward0>);
  add(table, {"UnsafeSplitBackward0"}, across_dim<gen::UnsafeSplitBackward0>);
  add(table, {"UnsafeSplitWithSizesBackward0"}, across_dim<gen::UnsafeSplitWithSizesBackward0>);
  add(table, {"CatBackward0"}, across_dim<gen::CatBackward0>);
  add(table, {"GatherBackward0"}, across_dim<gen::GatherBackward0>);
  add(table, {"IndexSelectBackward0"}, across_dim<gen::IndexSelectBackward0>);
  add(table, {"IndexPutBackward0", "IndexPutImplBackward0"}, constants_put);
  add(table, {"FlipBackward0"}, across_dims<gen::FlipBackward0>);
}

void add_along_axes(Table& table) {
  add(table, {"SoftmaxBackward0"}, across_dim<gen::SoftmaxBackward0>);
  add(table, {"LogSoftmaxBackward0"}, across_dim<gen::LogSoftmaxBackward0>);
  add(table, {"CumsumBackward0"}, across_dim<gen::CumsumBackward0>);
  add(table, {"GluBackward0"}, across_dim<gen::GluBackward0>);
  add(table, {"SumBackward1"}, reduced_dims<gen::SumBackward1>);
  add(table, {"MeanBackward1"}, reduced_dims<gen::MeanBackward1>);
  add(table, {"AmaxBackward0"}, reduced_dims<gen::AmaxBackward0>);
  add(table, {"AminBackward0"}, reduced_dims<gen::AminBackward0>);
  add(table, {"LogsumexpBackward0"}, reduced_dims<gen::LogsumexpBackward0>);
  add(table, {"NormBackward1"}, reduced_dims<gen::NormBackward1>);
  add(table, {"LinalgVectorNormBackward0"}, reduced_dims<gen::LinalgVectorNormBackward0>);
  add(table, {"VarBackward0"}, reduced_dims<gen::VarBackward0>);
  add(table, {"MaxBackward0"}, reduced_dim<gen::MaxBackward0>);
  add(table, {"MinBackward0"}, reduced_dim<gen::MinBackward0>);
  add(table, {"ProdBackward1"}, reduced_dim<gen::ProdBackward1>);
  add(table, {"SumBackward0", "MeanBackward0"}, [](const OwnedOutput&) -> Owners {
    throw LayoutRefusal("reduces over the whole batch; keep one value a sample (reduction none)");
  });
}

void add_layers(Table& table) {
  add(table,
      {"ConvolutionBackward0",
       "MkldnnConvolutionBackward0",
       "MaxPool2DWithIndicesBackward0",
       "MaxPool3DWithIndicesBackward0",
       "AvgPool2DBackward0",
       "AvgPool3DBackward0",
       "AdaptiveAvgPool2DBackward0",
       "AdaptiveAvgPool3DBackward0",
       "AdaptiveMaxPool2DBackward0",
       "AdaptiveMaxPool3DBackward0",
       "UpsampleNearest1DBackward0",
       "UpsampleNearest2DBackward0",
       "UpsampleNearest3DBackward0",
       "UpsampleNearest1DBackward1",
       "UpsampleNearest2DBackward1",
       "UpsampleNearest3DBackward1",
       "UpsampleLinear1DBackward0",
       "UpsampleBilinear2DBackward0",
       "UpsampleBilinear2DBackward1",
       "UpsampleBicubic2DBackward0",
       "ReflectionPad1DBackward0",
       "ReflectionPad2DBackward0",
       "ReplicationPad1DBackward0",
       "ReplicationPad2DBackward0",
       "PixelShuffleBackward0",
       "Im2ColBackward0",
       "NativeGroupNormBackward0",
       "NllLossBackward0",
       "NllLoss2DBackward0",
       "MultiMarginLossBackward0"},
      leading_axis);
  add(table, {"NativeLayerNormBackward0"}, layer_norm);
  add(table, {"NativeBatchNormBackward0"}, batch_norm);
  add(table, {"MmBackward0"}, [](const OwnedOutput& out) { return matrix_product(out, 0, 0); });
  add(table, {"AddmmBackward0"}, [](const OwnedOutput& out) { return matrix_product(out, 1, 0); });
  add(table, {"BmmBackward0"}, [](const OwnedOutput& out) { return matrix_product(out, 0, 1); });
  add(table, {"BaddbmmBackward0"},
      [](const OwnedOutput& out) { return matrix_product(out, 1, 1); });
  add(table, {"EmbeddingBackward0"}, embedding);
  add(table, {"EmbeddingBagBackward0"}, embedding_bag);
}

Table make_table() {
  Table table;
  add_elementwise(table);
  add_shapes(table);
  add_along_axes(table);
  add_layers(table);
  return table;
}

}  // namespace

SampleAxis OwnedOutput::axis() const {
  const auto axis = find_sample_axis(shape(), layout, samples);
  if (!axis) throw LayoutRefusal("is applied where samples and another axis are folded together");
  return *axis;
}

std::vector<Owner> input_owners(const OwnedOutput& output) {
  static const Table table = make_table();
  const auto rule = table.find(node_name(output.node));
  if (rule == table.end()) {
    throw LayoutRefusal("is not known to keep samples apart");
  }
  return rule->second(output);
}

}  // namespace sotto::grad
