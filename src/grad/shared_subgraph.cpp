#include "grad/shared_subgraph.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <unordered_set>

#include "grad/layout_rules.h"
#include "grad/libtorch/nodes.h"

namespace sotto::grad {
namespace {

using at::Tensor;

const std::unordered_set<std::string>& reshapes() {
  static const std::unordered_set<std::string> names{
      "ViewBackward0",    "ReshapeAliasBackward0", "UnsafeViewBackward0", "SqueezeBackward0",
      "SqueezeBackward1", "SqueezeBackward2",      "SqueezeBackward3",    "SqueezeBackward4",
      "SqueezeBackward5", "ReshapeCopyBackward0",  "UnsqueezeBackward0",  "UnsqueezeBackward1",
      "CloneBackward0",   "AliasBackward0"};
  return names;
}

const std::unordered_set<std::string>& slices() {
  static const std::unordered_set<std::string> names{
      "SelectBackward0",         "SliceBackward0",       "SplitBackward0",
      "SplitWithSizesBackward0", "UnsafeSplitBackward0", "UnbindBackward0"};
  return names;
}

const std::unordered_set<std::string>& transposes() {
  static const std::unordered_set<std::string> names{
      "TBackward0", "TBackward1", "TransposeBackward0", "TransposeBackward1", "PermuteBackward0"};
  return names;
}

// Operations whose every tensor argument is an edge of the graph if all edges are there.
const std::unordered_set<std::string>& functions_of_parameters() {
  static const std::unordered_set<std::string> names{
      "AccumulateGrad",      "ExpandBackward0",     "RepeatBackward0",
      "CatBackward0",        "StackBackward0",      "AddBackward0",
      "AddBackward1",        "SubBackward0",        "SubBackward1",
      "MulBackward0",        "MulBackward1",        "DivBackward0",
      "DivBackward1",        "NegBackward0",        "PowBackward0",
      "ExpBackward0",        "LogBackward0",        "SqrtBackward0",
      "RsqrtBackward0",      "ReciprocalBackward0", "TanhBackward0",
      "SigmoidBackward0",    "SoftplusBackward0",   "ReluBackward0",
      "SumBackward0",        "SumBackward1",        "MeanBackward0",
      "MeanBackward1",       "NormBackward0",       "NormBackward1",
      "NormBackward2",       "NormBackward3",       "LinalgVectorNormBackward0",
      "WeightNormBackward0", "MmBackward0",         "BmmBackward0",
      "SoftmaxBackward0",    "LogSoftmaxBackward0", "ClampBackward1",
      "AbsBackward0"};
  return names;
}

// The gradient of the view's input, given that of the view; axis 0 counts samples.
Tensor pull_back_transpose(const Node& node, const Tensor& g) {
  if (const auto* t = dynamic_cast<const gen::TransposeBackward0*>(&node)) {
    const auto rank = g.dim() - 1;
    return g.transpose(at::maybe_wrap_dim(t->dim0, rank) + 1,
                       at::maybe_wrap_dim(t->dim1, rank) + 1);
  }
  if (const auto* t = dynamic_cast<const gen::TransposeBackward1*>(&node)) {
    const auto rank = g.dim() - 1;
    return g.transpose(at::maybe_wrap_dim(t->dim0, rank) + 1,
                       at::maybe_wrap_dim(t->dim1, rank) + 1);
  }
  if (const auto* p = dynamic_cast<const gen::PermuteBackward0*>(&node)) {
    std::vector<std::int64_t> inverse(g.dim());
    for (std::size_t i = 0; i < p->dims.size(); ++i) {
      inverse[at::maybe_wrap_dim(p->dims[i], g.dim() - 1) + 1] = static_cast<std::int64_t>(i) + 1;
    }
    return g.permute(inverse);
  }
  return g.dim() == 3 ? g.transpose(1, 2) : g;  // t() of a vector is the vector
}

template <typename N>
std::int64_t axis_of(const Node& node, std::size_t rank) {
  return at::maybe_wrap_dim(static_cast<const N&>(node).dim, static_cast<std::int64_t>(rank));
}

// The part of `all` (n, *input shape) that the view's output number `output` shows.
Tensor visible_part(const Node& node, std::size_t output, const Tensor& all, const Tensor& g) {
  const auto name = node_name(node);
  const std::size_t rank = all.dim() - 1;
  if (name == "SelectBackward0") {
    const auto axis = axis_of<gen::SelectBackward0>(node, rank);
    return all.select(axis + 1, whole(static_cast<const gen::SelectBackward0&>(node).index));
  }
  if (name == "UnbindBackward0") {
    return all.select(axis_of<gen::UnbindBackward0>(node, rank) + 1,
                      static_cast<std::int64_t>(output));
  }
  if (name == "SliceBackward0") {
    const auto& slice = static_cast<const gen::SliceBackward0&>(node);
    const auto axis = axis_of<gen::SliceBackward0>(node, rank);
    const auto start = whole_or(slice.start, 0);
    const auto end = whole_or(slice.end, all.size(axis + 1));
    return all.slice(axis + 1, start, end, whole(slice.step));
  }
  if (name == "SplitWithSizesBackward0") {
    const auto& split = static_cast<const gen::SplitWithSizesBackward0&>(node);
    const auto axis = axis_of<gen::SplitWithSizesBackward0>(node, rank);
    std::int64_t start = 0;
    for (std::size_t i = 0; i < output; ++i) start += whole(split.split_sizes[i]);
    return all.narrow(axis + 1, start, g.size(axis + 1));
  }
  const bool safe = name == "SplitBackward0";
  const auto axis = safe ? axis_of<gen::SplitBackward0>(node, rank)
                         : axis_of<gen::UnsafeSplitBackward0>(node, rank);
  const auto size = safe ? whole(static_cast<const gen::SplitBackward0&>(node).split_size)
                         : whole(static_cast<const gen::UnsafeSplitBackward0&>(node).split_size);
  return all.narrow(axis + 1, static_cast<std::int64_t>(output) * size, g.size(axis + 1));
}

Tensor with_samples(const Tensor& g, const Shape& shape, bool zeros) {
  Shape sizes{g.size(0)};
  sizes.insert(sizes.end(), shape.begin(), shape.end());
  return zeros ? at::zeros(sizes, g.options()) : g.reshape(sizes);
}

// What a view does depends on its arguments and on the shape it is applied to.
std::string view_arguments(const Node& node, const Shape& input) {
  std::string text = "(";
  for (const auto size : input) text += std::to_string(size) + ',';
  text += '|';
  const auto rank = static_cast<std::int64_t>(input.size());
  const auto add = [&](std::int64_t dim) {
    text += std::to_string(at::maybe_wrap_dim(dim, rank)) + ',';
  };
  if (const auto* t = dynamic_cast<const gen::TransposeBackward0*>(&node)) {
    add(t->dim0);
    add(t->dim1);
  }
  if (const auto* t = dynamic_cast<const gen::TransposeBackward1*>(&node)) {
    add(t->dim0);
    add(t->dim1);
  }
  if (const auto* p = dynamic_cast<const gen::PermuteBackward0*>(&node)) {
    for (const auto dim : p->dims) add(dim);
  }
  return text + ");";
}

}  // namespace

void require_parameters_only(const Node& node) {
  const auto name = node_name(node);
  const bool known = reshapes().contains(name) || slices().contains(name) ||
                     transposes().contains(name) || functions_of_parameters().contains(name);
  const auto& edges = node.next_edges();
  const bool all_from_graph =
      std::all_of(edges.begin(), edges.end(), [](const Edge& edge) { return edge.is_valid(); });
  if (known && all_from_graph) return;
  throw LayoutRefusal(
      "computes a value that all samples share; only parameters may enter it, and here data could");
}

std::optional<ViewChain> ViewChain::from(const Edge& edge) {
  ViewChain chain;
  Edge at = edge;
  while (true) {
    const Node& node = *at.function;
    chain.parameter_ = accumulated_parameter(node);
    if (chain.parameter_.defined()) return chain;
    const auto name = node_name(node);
    const bool slice = slices().contains(name);
    if (!slice && !reshapes().contains(name) && !transposes().contains(name)) return std::nullopt;
    if (!node.next_edge(0).is_valid()) return std::nullopt;
    chain.covers_ = chain.covers_ && !slice;
    chain.views_.push_back({&node, at.input_nr, input_shape(node.next_edge(0))});
    chain.signature_ += name + view_arguments(node, chain.views_.back().input_shape);
    at = node.next_edge(0);
  }
}

std::optional<bool> ViewChain::transposed() const {
  if (parameter_.dim() != 2) return std::nullopt;
  bool odd = false;
  for (const auto& view : views_) {
    const auto name = node_name(*view.node);
    if (!transposes().contains(name)) return std::nullopt;
    const Tensor probe = at::empty({1, 2, 3});
    if (pull_back_transpose(*view.node, probe).size(1) == 3) odd = !odd;
  }
  return odd;
}

ViewChain ViewChain::identity(Tensor parameter) {
  ViewChain chain;
  chain.parameter_ = std::move(parameter);
  return chain;
}

Tensor ViewChain::pull_back(Tensor g) const {
  for (const auto& view : views_) {
    const auto name = node_name(*view.node);
    if (reshapes().contains(name)) {
      g = with_samples(g, view.input_shape, false);
    } else if (transposes().contains(name)) {
      g = pull_back_transpose(*view.node, g);
    } else {
      Tensor all = with_samples(g, view.input_shape, true);
      visible_part(*view.node, view.output, all, g).copy_(g);
      g = all;
    }
  }
  return g;
}

}  // namespace sotto::grad
