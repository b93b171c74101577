#include "grad/parameter_gradient.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>

#include "grad/exact_rows.h"
#include "grad/materialised_use.h"
#include "grad/outer_products.h"
#include "grad/sample_major.h"

namespace sotto::grad {
namespace {

using at::Tensor;

// Per-sample gradients of up to this many elements are kept between norms and sum: 64 MiB of float.
constexpr std::int64_t kKeptElements = std::int64_t{1} << 24;
constexpr std::int64_t kWrittenOutAtOnce = std::int64_t{1} << 22;

}  // namespace

ParameterGradient::ParameterGradient(Tensor parameter, std::int64_t samples)
    : parameter_(std::move(parameter)), samples_(samples) {}

void ParameterGradient::add(std::shared_ptr<SharedUse> use, std::optional<ViewChain> chain,
                            Edge shared) {
  // A weight and its transpose, which a recorded backward pass uses, then are used alike.
  auto product = std::dynamic_pointer_cast<OuterProductUse>(use);
  if (const auto transposed = chain ? chain->transposed() : std::nullopt; product && transposed) {
    if (*transposed) use = std::make_shared<TransposedUse>(std::move(product));
    chain = ViewChain::identity(parameter_);
  }
  uses_.push_back({std::move(use), std::move(chain), std::move(shared)});
}

Tensor ParameterGradient::squared_norms() {
  if (uses_.empty()) return at::zeros({samples_}, parameter_.options().dtype(at::kDouble));
  join_stored_uses();
  if (uses_.size() == 1 && uses_[0].chain) {
    Tensor norms = uses_[0].use->squared_norms();
    if (norms.defined()) return norms;
  }
  const Tensor ghost = ghost_norms();
  return ghost.defined() ? ghost : norms_by_writing_out();
}

// All uses, if all are sums of outer products that see the whole parameter, in the same way; else
// none.
std::vector<const OuterProductUse*> ParameterGradient::alike_products() const {
  std::vector<const OuterProductUse*> products;
  for (const auto& use : uses_) {
    const auto* product = dynamic_cast<const OuterProductUse*>(use.use.get());
    const bool alike = product != nullptr && use.chain && use.chain->covers_parameter() &&
                       use.chain->signature() == uses_[0].chain->signature();
    if (!alike) return {};
    products.push_back(product);
    if (product->left_size() != products[0]->left_size()) return {};
  }
  return products;
}

// A recurrent layer has a use for each time step: one with as many terms has one norm and one
// product of matrices instead.
void ParameterGradient::join_stored_uses() {
  const auto products = alike_products();
  const bool stored = std::all_of(products.begin(), products.end(),
                                  [](const auto* product) { return product->rows_are_stored(); });
  if (products.size() < 2 || !stored) return;
  auto joined =
      std::make_shared<StoredRowsUse>(products[0]->shape(), joined_rows(products, samples_));
  Use whole{std::move(joined), uses_[0].chain, uses_[0].shared};
  uses_.clear();
  uses_.push_back(std::move(whole));
}

Tensor ParameterGradient::ghost_norms() const {
  const auto products = alike_products();
  if (products.empty()) return {};
  if (products.size() == 1) {
    if (Tensor norms = stored_squared_norms(*products[0]); norms.defined()) return norms;
  }
  std::int64_t terms = 0;
  for (const auto* product : products) terms += product->terms();
  const auto left = products[0]->left_size();
  const auto right = products[0]->right_size();
  if (!ghost_norm_is_cheaper(terms, left, right)) return {};
  if (have_writers(products) && writing_is_cheaper(terms, left, right)) return {};
  return ghost_squared_norms(products);
}

Tensor ParameterGradient::norms_by_writing_out() {
  source_ = Source::kRows;
  if (samples_ * parameter_.numel() <= kKeptElements) {
    kept_ = per_sample(0, samples_);
    return squared_norm_of_rows(kept_);
  }
  if (const auto products = alike_products(); have_writers(products)) {
    source_ = Source::kWriters;
    return written_squared_norms(products);
  }
  const std::int64_t step = std::max<std::int64_t>(1, kWrittenOutAtOnce / parameter_.numel());
  std::vector<Tensor> norms;
  for (std::int64_t begin = 0; begin < samples_; begin += step) {
    norms.push_back(squared_norm_of_rows(per_sample(begin, std::min(samples_, begin + step))));
  }
  return at::cat(norms);
}

Tensor ParameterGradient::per_sample(std::int64_t begin, std::int64_t end) const {
  if (const auto products = alike_products(); have_writers(products)) {
    return uses_[0].chain->pull_back(written_gradients(products, begin, end));
  }
  Tensor sum;
  for (const auto& use : uses_) {
    Tensor gradients = use.use->per_sample(begin, end);
    if (use.chain) {
      gradients = use.chain->pull_back(gradients);
    } else {
      std::vector<Tensor> carried;
      for (std::int64_t i = 0; i < end - begin; ++i) {
        carried.push_back(carried_through_graph(use, gradients[i]));
      }
      gradients = at::stack(carried);
    }
    sum = sum.defined() ? sum + gradients : gradients;
  }
  if (sum.defined()) return sum;
  Shape sizes = parameter_.sizes().vec();
  sizes.insert(sizes.begin(), end - begin);
  return at::zeros(sizes, parameter_.options().requires_grad(false));
}

Tensor ParameterGradient::exact_sum(const ExactFactors& factors) const {
  if (uses_.empty()) return at::zeros(parameter_.sizes(), at::kDouble);
  if (kept_.defined()) return exact_sum_of_rows(kept_, factors);
  const auto in_parameter = [&](const Tensor& sum) {
    return uses_[0].chain->pull_back(sum.unsqueeze(0)).squeeze(0).contiguous();
  };
  if (source_ == Source::kWriters) {
    const auto products = alike_products();
    return in_parameter(products[0]->in_shape(exact_sum_by_writers(products, factors)).squeeze(0));
  }
  if (source_ == Source::kUse && uses_.size() == 1 && uses_[0].chain) {
    if (const Tensor sum = uses_[0].use->exact_sum(factors); sum.defined())
      return in_parameter(sum);
  }
  return sum_by_writing_out(factors);
}

// In the same pieces as norms are taken of: the same numbers, to the last bit.
Tensor ParameterGradient::sum_by_writing_out(const ExactFactors& factors) const {
  Tensor sum = at::zeros(parameter_.sizes(), at::kDouble);
  const std::int64_t step = std::max<std::int64_t>(1, kWrittenOutAtOnce / parameter_.numel());
  for (std::int64_t begin = 0; begin < samples_; begin += step) {
    const auto end = std::min(samples_, begin + step);
    sum += exact_sum_of_rows(per_sample(begin, end), factors.of_samples(begin, end));
  }
  return sum;
}

Tensor ParameterGradient::carried_through_graph(const Use& use, const Tensor& gradient) const {
  const Edge leaf = torch::autograd::impl::gradient_edge(parameter_);
  const auto result = torch::autograd::Engine::get_default_engine().execute(
      {use.shared}, {gradient}, /*keep_graph=*/true, /*create_graph=*/false,
      /*accumulate_grad=*/false, {leaf});
  return result[0].defined()
             ? result[0]
             : at::zeros_like(parameter_, parameter_.options().requires_grad(false));
}

bool ParameterGradient::isolates() const {
  return std::all_of(uses_.begin(), uses_.end(),
                     [](const Use& use) { return use.use->isolates(); });
}

void ParameterGradient::discard(const Tensor& bad) {
  if (kept_.defined()) {
    Shape shape(kept_.dim(), 1);
    shape[0] = samples_;
    kept_ = kept_.masked_fill(bad.reshape(shape), 0);
  }
  for (const auto& use : uses_) use.use->discard(bad);
}

}  // namespace sotto::grad
