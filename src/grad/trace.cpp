#include "grad/trace.h"

#include <torch/csrc/autograd/variable.h>

#include <optional>
#include <queue>
#include <unordered_map>
#include <unordered_set>

#include "grad/libtorch/hooks.h"
#include "grad/shared_subgraph.h"
#include "sotto/grad/grad.h"

namespace sotto::grad {
namespace {

class Tracer {
 public:
  Tracer(const at::Tensor& losses, const std::vector<TracedParameter>& parameters)
      : samples_(losses.size(0)) {
    for (const auto& parameter : parameters) {
      names_.emplace(parameter.tensor.unsafeGetTensorImpl(), parameter.name);
    }
    root_ = torch::autograd::impl::gradient_edge(losses).function;  // a leaf has no grad_fn
    collect(root_);
    owners_[root_.get()].resize(root_->num_inputs());
    owners_[root_.get()][losses.output_nr()] = Owner{SampleLayout{}};
  }

  std::vector<Boundary> run() {
    std::queue<NodePointer> ready;
    ready.push(root_);
    while (!ready.empty()) {
      const NodePointer node = ready.front();
      ready.pop();
      visit(node);
      for (const auto& edge : node->next_edges()) {
        if (edge.is_valid() && --consumers_[edge.function.get()] == 0) ready.push(edge.function);
      }
    }
    return std::move(boundaries_);
  }

 private:
  // Counts every node's consumers and finds for each the first trainable parameter under it.
  void collect(const NodePointer& root) {
    std::vector<std::pair<Node*, std::size_t>> stack{{root.get(), 0}};
    std::unordered_set<Node*> seen{root.get()};
    while (!stack.empty()) {
      auto& [node, next] = stack.back();
      if (next < node->num_outputs()) {
        const auto& edge = node->next_edge(next++);
        if (!edge.is_valid()) continue;
        ++consumers_[edge.function.get()];
        if (seen.insert(edge.function.get()).second) stack.emplace_back(edge.function.get(), 0);
        continue;
      }
      remember_parameter(*node);
      stack.pop_back();
    }
  }

  void remember_parameter(const Node& node) {
    const auto own = accumulated_parameter(node);
    if (own.defined()) {
      const auto name = names_.find(own.unsafeGetTensorImpl());
      if (name != names_.end()) under_[&node] = name->second;
      return;
    }
    for (std::size_t i = node.num_outputs(); i-- > 0;) {  // the node's own parameters come last
      const auto& edge = node.next_edge(i);
      if (!edge.is_valid()) continue;
      const auto found = under_.find(edge.function.get());
      if (found == under_.end()) continue;
      under_[&node] = found->second;
      return;
    }
  }

  bool leads_to_parameter(const Edge& edge) const {
    return edge.is_valid() && under_.contains(edge.function.get());
  }

  [[noreturn]] void refuse(const Node& node, const std::string& reason) const {
    throw NotSeparable("operation " + node_name(node) + " (at parameter '" + under_.at(&node) +
                       "') " + reason);
  }

  void assign(const Node& consumer, const Edge& edge, const Owner& owner) {
    auto& owners = owners_[edge.function.get()];
    owners.resize(edge.function->num_inputs());
    auto& known = owners[edge.input_nr];
    if (known && !(*known == owner)) {
      refuse(consumer, "uses a tensor in which samples lie elsewhere: it mixes the samples");
    }
    known = owner;
  }

  void visit(const NodePointer& node) {
    if (!under_.contains(node.get())) return;
    if (has_hooks(*node)) {
      refuse(*node, "has a hook (or retain_grad) on its gradient, which could mix the samples");
    }
    const auto& outputs = owners_[node.get()];
    std::optional<std::size_t> shared;
    std::optional<std::size_t> owned;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i]) (outputs[i]->shared() ? shared : owned) = i;
    }
    if (shared && owned) refuse(*node, "gives outputs of which only some belong to samples");
    try {
      if (shared) return visit_shared(*node);
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (outputs[i]) visit_owned(node, i, *outputs[i]->layout);
      }
    } catch (const LayoutRefusal& refusal) {
      refuse(*node, refusal.what());
    }
  }

  void visit_shared(const Node& node) {
    require_parameters_only(node);
    for (const auto& edge : node.next_edges()) {
      if (!leads_to_parameter(edge)) {
        throw LayoutRefusal(
            "takes a tensor that is not a parameter into a value all samples share");
      }
      assign(node, edge, Owner{});
    }
  }

  void visit_owned(const NodePointer& node, std::size_t output, const SampleLayout& layout) {
    if (accumulated_parameter(*node).defined()) {
      refuse(*node, "is a parameter indexed by the position in the batch");
    }
    const auto owners = input_owners({*node, output, samples_, layout});
    if (owners.size() != node->num_outputs()) throw LayoutRefusal("has inputs that no rule covers");
    for (std::size_t i = 0; i < owners.size(); ++i) {
      const auto& edge = node->next_edge(i);
      if (!leads_to_parameter(edge)) continue;
      assign(*node, edge, owners[i]);
      if (owners[i].shared()) boundaries_.push_back({node, i, output, layout});
    }
  }

  std::int64_t samples_;
  NodePointer root_;
  std::unordered_map<const c10::TensorImpl*, std::string> names_;
  std::unordered_map<const Node*, int> consumers_;
  std::unordered_map<const Node*, std::string> under_;
  std::unordered_map<const Node*, std::vector<std::optional<Owner>>> owners_;
  std::vector<Boundary> boundaries_;
};

}  // namespace

std::vector<Boundary> trace(const at::Tensor& losses,
                            const std::vector<TracedParameter>& parameters) {
  return Tracer(losses, parameters).run();
}

}  // namespace sotto::grad
