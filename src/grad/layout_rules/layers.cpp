// Layers and losses, whose axes have fixed meanings.

#include "grad/layout_rules/placement.h"
#include "grad/libtorch/nodes.h"

namespace sotto::grad {
namespace {

// Convolution, pooling, resampling, group normalisation, class losses: axis 0 counts independent
// items.
Owners leading_axis(const OwnedOutput& out) {
  const SampleAxis axis = out.axis();
  if (axis.axis != 0) throw LayoutRefusal(kMixes);
  return first_input_at(out, axis);
}

// The recorded backward pass of such a layer: the gradient of its first input (output 0) from that
// of its output and the input itself. Gradients of weights add up the samples.
Owners leading_axis_backward(const OwnedOutput& out) {
  const SampleAxis axis = out.axis();
  if (axis.axis != 0 || out.output != 0) throw LayoutRefusal(kMixes);
  Owners owners(out.node.num_outputs());
  for (std::size_t i = 0; i < owners.size() && i < 2; ++i) {
    if (out.node.next_edge(i).is_valid())
      owners[i] = owner_at(out.node.next_edge(i), axis, out.samples);
  }
  return owners;
}

// Query, key and value (N, heads, T, E): axis 0 counts independent items.
Owners attention(const OwnedOutput& out) {
  const SampleAxis axis = out.axis();
  if (axis.axis != 0 || out.output != 0) throw LayoutRefusal(kMixes);
  return all_inputs_at(out, axis);
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
    throw LayoutRefusal("mixes the samples of a batch (batch normalisation); use GroupNorm");
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

}  // namespace

void add_layer_layouts(LayoutTable& table) {
  table.add({"ConvolutionBackward0",
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
  table.add({"ConvolutionBackwardBackward0", "MaxPool2DWithIndicesBackwardBackward0",
             "AvgPool2DBackwardBackward0", "AdaptiveAvgPool2DBackwardBackward0",
             "UpsampleNearest2DBackwardBackward0"},
            leading_axis_backward);
  // torch::scaled_dot_product_attention on a CPU, of LibTorch 2; what it makes of small or masked
  // sequences are products and softmax.
  table.add({"ScaledDotProductFlashAttentionForCpuBackward0"}, attention);
  table.add({"NativeLayerNormBackward0"}, layer_norm);
  table.add({"NativeBatchNormBackward0"}, batch_norm);
  table.add({"MmBackward0"}, [](const OwnedOutput& out) { return matrix_product(out, 0, 0); });
  table.add({"AddmmBackward0"}, [](const OwnedOutput& out) { return matrix_product(out, 1, 0); });
  table.add({"BmmBackward0"}, [](const OwnedOutput& out) { return matrix_product(out, 0, 1); });
  table.add({"BaddbmmBackward0"}, [](const OwnedOutput& out) { return matrix_product(out, 1, 1); });
  table.add({"EmbeddingBackward0"}, embedding);
  table.add({"EmbeddingBagBackward0"}, embedding_bag);
}

}  // namespace sotto::grad
