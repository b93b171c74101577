#include "sotto/grad/grad.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "grad/exact_rows.h"
#include "grad/materialised_use.h"
#include "grad/parameter_gradient.h"
#include "grad/trace.h"

namespace sotto::grad {
namespace {

using at::Tensor;

void require_one_loss_a_sample(const Tensor& losses) {
  if (losses.defined() && losses.dim() == 1) return;
  std::string shape = "nothing";
  if (losses.defined()) shape = detail::join_message("shape ", losses.sizes());
  throw NotSeparable("losses: got " + shape +
                     "; expected one value per sample, shape (N) (use reduction none, and reduce "
                     "each sample's own axes)");
}

void require_usable(const NamedParameter& parameter) {
  const auto type = parameter.tensor.scalar_type();
  if (type != at::kFloat && type != at::kDouble) {
    throw NotSeparable("parameter '" + parameter.name +
                       "' is neither float nor double: norms would be rounded too coarsely");
  }
  check_argument(parameter.tensor.is_leaf() && parameter.tensor.requires_grad(), "parameter '",
                 parameter.name, "' is not trainable");
}

// The trainable parameters under an edge of the shared part.
void collect_leaves(const Edge& edge, std::unordered_set<Node*>& seen,
                    std::vector<Tensor>& leaves) {
  if (!edge.is_valid() || !seen.insert(edge.function.get()).second) return;
  const Tensor parameter = accumulated_parameter(*edge.function);
  if (parameter.defined()) leaves.push_back(parameter);
  for (const auto& next : edge.function->next_edges()) collect_leaves(next, seen, leaves);
}

// Gradients of the losses' sum at every boundary's output; the weights' own gradients are not
// computed.
std::vector<Tensor> gradients_at(const std::vector<Boundary>& boundaries, const Tensor& losses) {
  std::map<std::pair<Node*, std::size_t>, std::size_t> index;
  torch::autograd::edge_list outputs;
  for (const auto& boundary : boundaries) {
    const auto key = std::make_pair(boundary.node.get(), boundary.output);
    if (!index.emplace(key, outputs.size()).second) continue;
    outputs.emplace_back(boundary.node, static_cast<std::uint32_t>(boundary.output));
  }
  const auto captured = torch::autograd::Engine::get_default_engine().execute(
      {torch::autograd::impl::gradient_edge(losses)}, {at::ones_like(losses.detach())},
      /*keep_graph=*/true, /*create_graph=*/false, /*accumulate_grad=*/false, outputs);
  std::vector<Tensor> gradients;
  gradients.reserve(boundaries.size());
  for (const auto& boundary : boundaries) {
    gradients.push_back(captured[index.at({boundary.node.get(), boundary.output})]);
  }
  return gradients;
}

}  // namespace

class PerSampleGradients::Implementation {
 public:
  Implementation(const Tensor& losses, std::vector<NamedParameter> parameters)
      : parameters_(std::move(parameters)) {
    c10::NoGradGuard no_gradients;
    require_one_loss_a_sample(losses);
    samples_ = losses.size(0);
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      require_usable(parameters_[i]);
      const bool first = place_.emplace(parameters_[i].tensor.unsafeGetTensorImpl(), i).second;
      check_argument(first, "parameter '", parameters_[i].name, "' is listed twice");
      gradients_.emplace_back(parameters_[i].tensor, samples_);
    }
    if (samples_ > 0 && losses.requires_grad()) {
      samples_ == 1 ? capture_one(losses) : capture(losses);
    }
    norms_ = at::zeros({static_cast<std::int64_t>(parameters_.size()), samples_}, at::kDouble);
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (samples_ > 0) norms_[static_cast<std::int64_t>(i)].copy_(gradients_[i].squared_norms());
    }
    const Tensor bad = norms_.isfinite().logical_not().any(0);
    if (samples_ > 0 && bad.any().item<bool>()) {
      for (auto& gradient : gradients_) gradient.discard(bad);
    }
  }

  std::vector<NamedParameter> parameters_;
  std::int64_t samples_ = 0;
  std::unordered_map<c10::TensorImpl*, std::size_t> place_;
  std::vector<ParameterGradient> gradients_;
  Tensor norms_;

 private:
  // A batch of one: the ordinary gradient is the sample's.
  void capture_one(const Tensor& losses);

  void capture(const Tensor& losses) {
    std::vector<TracedParameter> traced;
    for (const auto& parameter : parameters_) traced.push_back({parameter.name, parameter.tensor});
    const auto boundaries = trace(losses, traced);
    if (boundaries.empty()) return;
    const auto gradients = gradients_at(boundaries, losses);
    for (std::size_t i = 0; i < boundaries.size(); ++i) {
      // Whatever its values: how samples are added up must not depend on them.
      if (gradients[i].defined()) add_use(boundaries[i], gradients[i]);
    }
  }

  void add_use(const Boundary& boundary, const Tensor& gradient) {
    std::shared_ptr<SharedUse> use = make_shared_use(boundary, gradient, samples_);
    auto chain = ViewChain::from(boundary.shared());
    std::unordered_set<Node*> seen;
    std::vector<Tensor> leaves;
    collect_leaves(boundary.shared(), seen, leaves);
    for (const auto& leaf : leaves) {
      const auto place = place_.find(leaf.unsafeGetTensorImpl());
      if (place != place_.end()) gradients_[place->second].add(use, chain, boundary.shared());
    }
  }
};

void PerSampleGradients::Implementation::capture_one(const Tensor& losses) {
  std::vector<Tensor> tensors;
  for (const auto& parameter : parameters_) tensors.push_back(parameter.tensor);
  const auto gradients =
      torch::autograd::grad({losses}, tensors, {at::ones_like(losses.detach())},
                            /*retain_graph=*/true, /*create_graph=*/false, /*allow_unused=*/true);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (!gradients[i].defined()) continue;
    const Tensor dense = gradients[i].is_sparse() ? gradients[i].to_dense() : gradients[i];
    auto leaf = torch::autograd::impl::gradient_edge(tensors[i]);
    auto chain = ViewChain::from(leaf);
    gradients_[i].add(std::make_shared<MaterialisedUse>(dense.unsqueeze(0)), std::move(chain),
                      leaf);
  }
}

PerSampleGradients::PerSampleGradients(const Tensor& losses, std::vector<NamedParameter> parameters)
    : implementation_(std::make_unique<Implementation>(losses, std::move(parameters))) {}
PerSampleGradients::~PerSampleGradients() = default;
PerSampleGradients::PerSampleGradients(PerSampleGradients&&) noexcept = default;
PerSampleGradients& PerSampleGradients::operator=(PerSampleGradients&&) noexcept = default;

std::int64_t PerSampleGradients::samples() const { return implementation_->samples_; }

const Tensor& PerSampleGradients::squared_norms() const { return implementation_->norms_; }

void PerSampleGradients::add_to(ExactSums& sums, const Tensor& factors,
                                const std::vector<std::int64_t>& chain_ends) const {
  c10::NoGradGuard no_gradients;
  const Tensor table = factors.to(at::kDouble).contiguous();
  const bool add = sums.is_set();
  for (std::size_t p = 0; p < implementation_->gradients_.size() && samples() > 0; ++p) {
    const double* row = table.data_ptr<double>() + static_cast<std::int64_t>(p) * samples();
    ExactFactors scaled{{row, row + samples()}, chain_ends, add ? Tensor() : sums.values(p)};
    for (double& factor : scaled.values) factor /= sums.unit(p);
    Tensor part = implementation_->gradients_[p].exact_sum(scaled);
    if (add) {
      sums.values(p).add_(part);
    } else {
      sums.values(p) = std::move(part);
    }
  }
  if (samples() > 0) sums.mark_set();
}

std::vector<Tensor> PerSampleGradients::weighted_sums(const Tensor& factors) const {
  constexpr std::int64_t kChain = 64;
  const Tensor sizes = squared_norms().sqrt() * factors.to(at::kDouble).abs();
  std::vector<Tensor> tensors;
  std::vector<double> bounds;
  for (std::size_t p = 0; p < implementation_->parameters_.size(); ++p) {
    tensors.push_back(implementation_->parameters_[p].tensor);
    const Tensor row = sizes[static_cast<std::int64_t>(p)].nan_to_num(0, 0, 0);
    const double largest = samples() > 0 ? row.max().item<double>() : 0;
    bounds.push_back(largest > 0 ? largest : 1);
  }
  ExactSums exact(tensors, bounds);
  std::vector<std::int64_t> chain_ends;
  for (std::int64_t begin = 0; begin < samples(); begin += kChain) {
    chain_ends.push_back(std::min(samples(), begin + kChain));
  }
  add_to(exact, factors, chain_ends);
  exact.settle();
  std::vector<Tensor> sums;
  for (std::size_t p = 0; p < tensors.size(); ++p) {
    sums.push_back(exact.real(p).to(tensors[p].scalar_type()));
  }
  return sums;
}

bool PerSampleGradients::isolates_samples(std::string* parameter) const {
  for (std::size_t p = 0; p < implementation_->gradients_.size(); ++p) {
    if (implementation_->gradients_[p].isolates()) continue;
    if (parameter != nullptr) *parameter = implementation_->parameters_[p].name;
    return false;
  }
  return true;
}

std::vector<Tensor> PerSampleGradients::materialised() const {
  c10::NoGradGuard no_gradients;
  std::vector<Tensor> result;
  for (const auto& gradient : implementation_->gradients_) {
    result.push_back(gradient.per_sample(0, samples()));
  }
  return result;
}

}  // namespace sotto::grad
